import { CARDS } from '../test/cards.ts'
import { recordAnnouncements } from './announcements.ts'
import { type Api, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** What customers do by deep links. */

const DAY_MS = 86_400_000

/** A contract of 9.90 EUR a month, and the URL of a link to manage it. */
async function subscribe(api: Api, baseURL: string | undefined, allow: string[]) {
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
      deep_link: { action: 'MANAGE_CONTRACT', account: account.id, contract, allow, expires },
    },
  })
  return { contract: contract as string, url: deep_link.url as string }
}

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
  const { contract, url } = await subscribe(api, baseURL, ['PAYMENT_METHOD', 'CANCEL'])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Tea club' })).toBeVisible()
  await expect(page.getByText('Visa ending in 4242')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change payment method' }).click()
  await checkout.fillCard(CARDS.decline)
  await page.getByRole('button', { name: 'Save payment method' }).click()
  await expect(checkout.alert).toContainText('could not be saved')
  await checkout.fillCard(CARDS.mastercard)
  await page.getByRole('button', { name: 'Save payment method' }).click()
  await expect(checkout.alert).toContainText('is saved')
  await expect(page.getByText('Mastercard ending in 4444')).toBeVisible()
  const changed = (await api(`/contracts/${contract}?expand=payment_method`)).contract
  expect(changed.payment_method.card.last4).toBe('4444')
})

test(
  'a subscriber pauses a contract by keyboard, and the focus and one announcement follow',
  { tag: '@deep' },
  async ({ api, baseURL, checkout, page }) => {
    const { contract, url } = await subscribe(api, baseURL, ['PAUSE', 'CANCEL'])
    await page.goto(url)
    await expect(page.getByText('every month')).toBeVisible()
    const button = (name: string) => page.getByRole('button', { name })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(button('End regular payments')).toBeFocused()
    await page.keyboard.press('Enter')
    const question = page.getByText('This cannot be undone.')
    await expect(question).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(button('No, go back')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button('End regular payments')).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Nothing is taken until')).toBeFocused()
    await page.keyboard.press('Tab')
    await recordAnnouncements(page)
    await page.keyboard.press('Enter')
    await expect(checkout.alert).toContainText('are paused')
    await expect(page.locator('#notice')).toBeFocused()
    expect(await page.evaluate(() => window.records)).toEqual(['alert: Your regular payments ar'])
    expect((await api(`/contracts/${contract}`)).contract.status).toBe('PAUSED')
    await page.keyboard.press('Tab')
    await expect(button('Resume')).toBeFocused()
  },
)

test(
  'a link to a task says when another browser has it, and when it was used up',
  { tag: '@deep' },
  async ({ api, checkout, page }) => {
    const { account } = await api('/accounts', { body: { account: { crm_key: `a${Date.now()}` } } })
    const expires = new Date(Date.now() + DAY_MS).toISOString()
    const action = 'ADD_PAYMENT_METHOD'
    const body = { deep_link: { action, account: account.id, expires, max_uses: 1 } }
    const { url } = (await api('/deep_links', { body })).deep_link
    await page.goto(url)
    const save = page.getByRole('button', { name: 'Save payment method' })
    await save.click()
    await expect(checkout.cardNumber).toBeFocused()
    // Without its token the browser is another one.
    const stored = await page.evaluate(() => Object.entries(localStorage))
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await expect(checkout.heading('This link is open elsewhere')).toBeVisible()
    await expectAccessible(page)
    await page.evaluate((items) => {
      for (const [name, value] of items) localStorage.setItem(name, String(value))
    }, stored)
    await page.getByRole('button', { name: 'Check again now' }).click()
    await expect(save).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Add a payment method' })).toBeFocused()
    await checkout.fillCard(CARDS.approve)
    await save.click()
    await expect(checkout.heading('Your payment method is saved')).toBeFocused()
    await expect(page.getByText('Visa ending in 4242')).toBeVisible()
    await page.reload()
    await expect(checkout.heading('This link can no longer be used')).toBeVisible()
  },
)

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
