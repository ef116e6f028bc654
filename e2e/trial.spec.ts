import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

test(
  'a payer starts a free trial, confirms it at the bank and reads when they pay first',
  { tag: '@deep' },
  async ({ api, checkout, openLink, page }) => {
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
  },
)
