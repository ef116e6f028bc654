import { CARDS } from '../test/cards.ts'
import { expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** What customers do by deep links. */

const DAY_MS = 86_400_000

test('a subscriber whose card fails changes it by a link, and the next collection succeeds', async ({
  api,
  checkout,
  openLink,
  page,
}) => {
  // A card that is declined once it is saved, as one that expires.
  const first = await openLink({
    amount: '9.90',
    save_card: true,
    account: { email: 'ada@example.com' },
  })
  await checkout.pay('4000000000000341')
  await expect(checkout.receipt).toBeVisible()
  const { account, payment_method } = await first.read()
  const { contract } = await api('/contracts', {
    body: {
      contract: {
        account,
        payment_method,
        amount: '9.90',
        currency: 'EUR',
        frequency: 'MONTH',
        description: 'Tea club',
      },
    },
  })
  const chargeOf = async () => (await api(`/charges?criteria=contract=${contract.id}`)).charges[0]
  await expect.poll(async () => (await chargeOf())?.attempts, { timeout: 20_000 }).toBe(1)
  expect(await chargeOf()).toMatchObject({ status: 'ACTIVE' })

  const expires = new Date(Date.now() + 7 * DAY_MS).toISOString()
  const { deep_link } = await api('/deep_links', {
    body: {
      deep_link: {
        action: 'MANAGE_CONTRACT',
        account,
        contract: contract.id,
        allow: ['PAYMENT_METHOD', 'CANCEL'],
        expires,
      },
    },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(deep_link.url)
  await expect(page.getByRole('heading', { name: 'Tea club' })).toBeVisible()
  await expect(page.getByText('•••• 0341')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change payment method' }).click()
  await checkout.fillCard(CARDS.decline)
  await page.getByRole('button', { name: 'Save payment method' }).click()
  await expect(checkout.alert).toContainText('could not be saved')
  await checkout.fillCard(CARDS.mastercard)
  await page.getByRole('button', { name: 'Save payment method' }).click()
  await expect(checkout.alert).toContainText('is saved')
  await expect(page.getByText('•••• 4444')).toBeVisible()
  const changed = (await api(`/contracts/${contract.id}?expand=payment_method`)).contract
  expect(changed.payment_method.card.last4).toBe('4444')
})

test(
  'a card is confirmed at the bank and then saved',
  { tag: '@deep' },
  async ({ api, checkout, page }) => {
    const { account } = await api('/accounts', { body: { account: { crm_key: `a${Date.now()}` } } })
    const expires = new Date(Date.now() + DAY_MS).toISOString()
    const { deep_link } = await api('/deep_links', {
      body: { deep_link: { action: 'ADD_PAYMENT_METHOD', account: account.id, expires } },
    })
    await page.goto(deep_link.url)
    await checkout.fillCard(CARDS.challenge)
    await page.getByRole('button', { name: 'Save payment method' }).click()
    await checkout.answerBank('Approve')
    await expect(page.getByRole('heading', { name: 'Your payment method is saved' })).toBeVisible()
  },
)
