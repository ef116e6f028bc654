import type { ApiResponse } from '../test/client.ts'
import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** Links that pay what an account owes, and that begin a contract. */

test('an invoice of two charges is paid by link, and the receipt lists both', async ({
  api,
  checkout,
  openLink,
  page,
  request,
}) => {
  const card = { number: CARDS.approve, exp_month: 12, exp_year: 2034, csc: '123' }
  const { token } = await (await request.post('/sandbox/tokens', { data: { card } })).json()
  const { account } = await api('/accounts', { body: { account: { crm_key: 'tenant' } } })
  const pay = async (payment: object): Promise<ApiResponse['json']> =>
    (
      await api('/payments', {
        body: { payment: { currency: 'EUR', account: account.id, ...payment } },
      })
    ).payment
  const first = await pay({ amount: '1.00', payment_method: { token, save: true } })
  const owe = async (amount: string, description: string, due: string): Promise<string> =>
    (await pay({ amount, description, due, payment_method: first.payment_method })).charge
  const charges = [
    await owe('870.00', 'Rent of March', '2031-03-01T12:00:00Z'),
    await owe('112.40', 'Heating', '2031-03-20T12:00:00Z'),
  ]
  const link = await openLink({ account: account.id, charges, force_add: true, name: 'Your rent' })
  const list = page.getByRole('listitem')
  await expect(list).toHaveText([
    /Rent of March\s*Due March 1, 2031\s*€870\.00/,
    /Heating.*€112\.40/,
  ])
  await expect(checkout.payButton).toHaveText(/Pay €982\.40/)
  await expectAccessible(page)
  await checkout.payToReceipt()
  await expect(list).toHaveText([/Rent of March/, /Heating/])
  await expectAccessible(page, 'dark')
  expect((await link.read()).charge).toBe(charges[0])
  for (const id of charges) expect((await api(`/charges/${id}`)).charge.status).toBe('PAID')
})

test('a payer starts a free trial, confirms it at the bank and reads when they pay first', async ({
  api,
  checkout,
  openLink,
  page,
}) => {
  const link = await openLink({
    amount: '9.00',
    name: 'Tea club',
    timezone: 'Europe/Paris',
    recurring: { frequency: 'MONTH', trial_days: 14 },
  })
  await expect(page.getByText('14 days free', { exact: true })).toBeVisible()
  await expect(page.getByText('Then €9.00 every month. Nothing is charged today.')).toBeVisible()
  await expect(page.locator('.consent')).toHaveText(
    /agree that .* saves this payment method and charges €9\.00 to it every month, beginning after 14 free days/,
  )
  await expectAccessible(page)
  const start = page.getByRole('button', { name: 'Start free trial' })
  await checkout.fillCard(CARDS.decline)
  await start.click()
  await expect(checkout.alert).toContainText('declined')
  await checkout.fillCard(CARDS.challenge)
  await start.click()
  await checkout.answerBank('Approve')
  await expect(checkout.heading('Your free trial has begun')).toBeVisible()
  await expect(page).toHaveTitle(/^Your free trial has begun/)
  await expect(page.getByText('€0.00')).toBeVisible()
  const { contract, payment, status } = await link.read()
  expect([status, payment]).toEqual(['PAYMENT_SUCCESS', null])
  const { next_due } = (await api(`/contracts/${contract}`)).contract
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'Europe/Paris' })
  await expect(page.locator('.properties')).toContainText(
    `First payment${day.format(new Date(next_due))}`,
  )
  await expect(page.locator('.properties')).toContainText('€9.00 · every month')
  await expectAccessible(page, 'dark')
  // The address shows the receipt again.
  await page.goto(link.url)
  await expect(checkout.heading('Your free trial has begun')).toBeVisible()
})
