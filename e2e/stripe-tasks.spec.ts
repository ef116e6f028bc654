import type { Page } from '@playwright/test'
import { type Api, expect, expectAccessible } from './fixtures.ts'
import { cardFields, fillCard, STRIPE_CARDS, test } from './stripe-fixtures.ts'

/** What customers do by deep links, with the fields of a connected Stripe. */

test.describe.configure({ mode: 'default' })
test.use({ methods: ['CARD', 'DIRECT_DEBIT', 'IDEAL', 'PRZELEWY'] })

const PHONE = { width: 390, height: 844 }
const IBAN = 'DE89370400440532013000'
const DAY_MS = 86_400_000

/** Creates a deep link to a task of a new customer, or of `account`. */
async function newTask(api: Api, task: { account?: string } & Record<string, unknown>) {
  const body = { account: { crm_key: `a${Date.now()}` } }
  const account = task.account ?? (await api('/accounts', { body })).account.id
  const expires = new Date(Date.now() + DAY_MS).toISOString()
  const deep_link = { action: 'ADD_PAYMENT_METHOD', expires, ...task, account }
  const { url } = (await api('/deep_links', { body: { deep_link } })).deep_link
  const methods = async () =>
    (await api(`/payment_methods?criteria=account=${account}`)).payment_methods
  return { url: url as string, methods }
}

const save = (page: Page) => page.getByRole('button', { name: 'Save payment method' }).click()
const saved = (page: Page) => page.getByRole('heading', { name: 'Your payment method is saved' })

test(
  'a card in frames of Stripe is saved on a phone, after one that was declined',
  { tag: '@deep' },
  async ({ api, checkout, page, stripe }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin === stripe.program.base) {
        sent.push(request.url() + (request.postData() ?? ''))
      }
    })
    const task = await newTask(api, {})
    await page.setViewportSize(PHONE)
    await page.goto(task.url)
    const { number, code } = cardFields(page)
    await expect(number).toBeEditable()
    await save(page)
    await expect(page.getByText('Enter the card number')).toBeVisible()
    await expect(number).toBeFocused()
    await expectAccessible(page)
    await fillCard(checkout, STRIPE_CARDS.insufficient)
    await save(page)
    await expect(checkout.alert.first()).toContainText('could not be saved')
    await expect(code).toHaveValue('')
    await fillCard(checkout)
    await save(page)
    await expect(saved(page)).toBeVisible()
    await expect(page.getByText('Visa ending in 4242')).toBeVisible()
    await expectAccessible(page, 'dark')
    expect(await task.methods()).toMatchObject([{ type: 'CARD', gateway: stripe.connection }])
    expect(sent.join('\n')).not.toMatch(/4242 ?4242/)
  },
)

test('a save is sent again after its response was lost, and saves once', async ({
  api,
  checkout,
  page,
}) => {
  const task = await newTask(api, {})
  await page.goto(task.url)
  await fillCard(checkout)
  let lost = 0
  await page.route('**/go/sessions/current/payment_method', async (route) => {
    if (lost === 0) await route.fetch()
    lost += 1
    return lost === 1 ? route.abort() : route.continue()
  })
  await save(page)
  await expect(saved(page)).toBeVisible()
  expect(lost).toBe(2)
  expect(await task.methods()).toHaveLength(1)
})

test(
  '3-D Secure returns a customer to the form, or saves the card',
  { tag: '@deep' },
  async ({ api, checkout, page }) => {
    const task = await newTask(api, {})
    await page.goto(task.url)
    await fillCard(checkout, STRIPE_CARDS.challenge)
    await save(page)
    await page.getByRole('link', { name: 'decline' }).click()
    await expect(checkout.alert.first()).toContainText('could not be saved')
    await fillCard(checkout, STRIPE_CARDS.challenge)
    await save(page)
    await page.getByRole('link', { name: 'approve' }).click()
    await expect(saved(page)).toBeVisible()
    expect(page.url()).not.toContain('setup_intent')
    expect(await task.methods()).toHaveLength(1)
  },
)

test(
  'a direct debit is saved without the IBAN reaching this server',
  { tag: '@deep' },
  async ({ api, page, stripe }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin === stripe.program.base) sent.push(request.postData() ?? '')
    })
    const task = await newTask(api, {})
    await page.setViewportSize(PHONE)
    await page.goto(task.url)
    await page.getByRole('radio', { name: 'Direct debit' }).check()
    await expect(
      page.getByText(/By saving, you authorize .* and its payment provider Stripe/),
    ).toBeVisible()
    await expectAccessible(page)
    await save(page)
    await expect(page.getByText('Enter an email address')).toBeVisible()
    await expect(page.getByLabel('IBAN')).toBeFocused()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('IBAN').fill(IBAN)
    await page.getByLabel('Account holder').fill('Ada Lovelace')
    await save(page)
    await expect(saved(page)).toBeVisible()
    await expect(page.getByText('Direct debit ending in 3000')).toBeVisible()
    expect(await task.methods()).toMatchObject([{ type: 'DIRECT_DEBIT', default: true }])
    expect(sent.join('\n')).toContain('DIRECT_DEBIT')
    expect(sent.join('\n')).not.toMatch(/DE89 ?3704/)
    const confirm = stripe.fake.requests.findLast(({ path }) => /setup_intents.*confirm/.test(path))
    expect(decodeURIComponent(confirm?.body ?? '')).toContain('[customer_acceptance][type]=online')
  },
)

test(
  'a subscriber changes from a card to a direct debit, in Arabic',
  { tag: '@deep' },
  async ({ api, page, stripe }) => {
    const { account } = await api('/accounts', { body: { account: { crm_key: `a${Date.now()}` } } })
    const payment = {
      amount: '9.90',
      currency: 'EUR',
      account: account.id,
      description: 'Tea club',
      payment_method: { token: stripe.fake.card(STRIPE_CARDS.approve), save: true },
      recurring: { frequency: 'MONTH' },
    }
    const { contract } = (await api('/payments', { body: { payment } })).payment
    const allow = ['PAYMENT_METHOD', 'CANCEL']
    const task = await newTask(api, {
      account: account.id,
      action: 'MANAGE_CONTRACT',
      contract,
      allow,
    })
    await page.setViewportSize(PHONE)
    await page.goto(`${task.url}?lang=ar`)
    await expect(page.getByRole('heading', { name: 'Tea club' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'تغيير وسيلة الدفع' }).click()
    await page.getByRole('radio').nth(1).check()
    await page.locator('#field-email').fill('ada@example.com')
    await page.locator('#field-iban').fill(IBAN)
    await page.locator('#field-holder').fill('Ada Lovelace')
    await expectAccessible(page, 'dark')
    await page.locator('button[type=submit]').click()
    await expect(page.getByText(/3000/)).toBeVisible()
    const changed = (await api(`/contracts/${contract}?expand=payment_method`)).contract
    expect(changed.payment_method).toMatchObject({ type: 'DIRECT_DEBIT' })
  },
)

test(
  'charges are paid by a deep link: some by a card in frames of Stripe, the last by a direct debit',
  { tag: '@deep' },
  async ({ api, checkout, page, stripe }) => {
    const { account } = await api('/accounts', { body: { account: { crm_key: `a${Date.now()}` } } })
    const pay = async (payment: object) =>
      (
        await api('/payments', {
          body: { payment: { currency: 'EUR', account: account.id, ...payment } },
        })
      ).payment
    const token = stripe.fake.card(STRIPE_CARDS.approve)
    const { payment_method } = await pay({ amount: '1.00', payment_method: { token, save: true } })
    const due = '2037-03-01T12:00:00Z'
    const rent = await pay({ amount: '870.00', description: 'Rent', due, payment_method })
    const heating = await pay({ amount: '112.40', description: 'Heating', due, payment_method })
    const repair = await pay({ amount: '20.00', description: 'Repair', due, payment_method })
    const linkTo = async (charges: string[]) =>
      (await newTask(api, { action: 'PAY_CHARGES', account: account.id, charges })).url
    const statusOf = async ({ charge }: { charge: string }) =>
      (await api(`/charges/${charge}`)).charge.status

    await page.setViewportSize(PHONE)
    await checkout.open(await linkTo([rent.charge, heating.charge]))
    await expect(page.getByRole('listitem')).toHaveText([/Rent.*€870\.00/, /Heating.*€112\.40/])
    await page.getByRole('radio', { name: 'Card', exact: true }).check()
    await fillCard(checkout, STRIPE_CARDS.insufficient)
    await checkout.payButton.click()
    await expect(checkout.alert.first()).toContainText('not enough money')
    await fillCard(checkout)
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    await expectAccessible(page)
    expect([await statusOf(rent), await statusOf(heating)]).toEqual(['PAID', 'PAID'])

    await checkout.open(await linkTo([repair.charge]))
    await page.getByRole('radio', { name: 'Direct debit' }).check()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('IBAN').fill(IBAN)
    await page.getByLabel('Account holder').fill('Ada Lovelace')
    await checkout.payButton.click()
    await expect(page.getByText('Your bank still has to complete it')).toBeVisible()
    // It is not asked for again while the bank has not answered.
    expect(await statusOf(repair)).toBe('ACTIVE')
    await checkout.open(await linkTo([repair.charge]))
    await expect(checkout.heading('Being paid in another window')).toBeVisible()
  },
)
