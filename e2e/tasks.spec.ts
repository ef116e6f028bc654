import { CARDS } from '../test/cards.ts'
import { expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** What customers do by deep links. */

const DAY_MS = 86_400_000

async function newToken(baseURL: string | undefined, number: string): Promise<string> {
  const response = await fetch(new URL('/sandbox/tokens', baseURL), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ card: { number, exp_month: 12, exp_year: 2034, csc: '123' } }),
  })
  return ((await response.json()) as { token: string }).token
}

test('a subscriber changes the card of a contract by a link, on a phone', async ({
  api,
  baseURL,
  checkout,
  page,
}) => {
  const { account } = await api('/accounts', { body: { account: { crm_key: `a${Date.now()}` } } })
  const payment = {
    amount: '9.90',
    currency: 'EUR',
    account: account.id,
    description: 'Tea club',
    payment_method: { token: await newToken(baseURL, CARDS.approve), save: true },
    recurring: { frequency: 'MONTH' },
  }
  const { contract } = (await api('/payments', { body: { payment } })).payment

  const expires = new Date(Date.now() + 7 * DAY_MS).toISOString()
  const { deep_link } = await api('/deep_links', {
    body: {
      deep_link: {
        action: 'MANAGE_CONTRACT',
        account: account.id,
        contract,
        allow: ['PAYMENT_METHOD', 'CANCEL'],
        expires,
      },
    },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(deep_link.url)
  await expect(page.getByRole('heading', { name: 'Tea club' })).toBeVisible()
  await expect(page.getByText('•••• 4242')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change payment method' }).click()
  await checkout.fillCard(CARDS.decline)
  await page.getByRole('button', { name: 'Save payment method' }).click()
  await expect(checkout.alert).toContainText('could not be saved')
  await checkout.fillCard(CARDS.mastercard)
  await page.getByRole('button', { name: 'Save payment method' }).click()
  await expect(checkout.alert).toContainText('is saved')
  await expect(page.getByText('•••• 4444')).toBeVisible()
  const changed = (await api(`/contracts/${contract}?expand=payment_method`)).contract
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
