import { recordAnnouncements } from './announcements.ts'
import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** Amounts that the payer chooses: suggestions, bounds and a quantity. */

test('a payer picks an amount, is told the bounds of their own, and keeps it after a decline', async ({
  checkout,
  openLink,
  page,
}) => {
  const link = await openLink({
    amount_min: '5.00',
    amount_max: '80.00',
    amount_presets: ['10.00', '25.00'],
  })
  const presets = page.getByRole('radiogroup', { name: 'Amount' })
  await presets.getByRole('radio', { name: '€10.00' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(presets.getByRole('radio', { name: '€25.00' })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Pay €25.00' })).toBeVisible()
  await presets.getByRole('radio', { name: 'Other amount' }).check()
  await page.getByLabel('Amount', { exact: true }).last().fill('4')
  await checkout.pay()
  await expect(page.locator('#field-amount')).toBeFocused()
  const bounds = 'Choose an amount between €5.00 and €80.00.'
  await expect(page.locator('#field-amount-error')).toHaveText(bounds)
  await page.locator('#field-amount').fill('42')
  await checkout.pay(CARDS.decline)
  await expect(checkout.alert).toContainText('declined')
  await expect(page.getByRole('button', { name: 'Pay €42.00' })).toBeVisible()
  await checkout.payToReceipt()
  expect((await link.read('payment')).payment).toMatchObject({ amount: '42.00', quantity: null })
})

test(
  'a payer chooses how many, and reads the price of one on the receipt',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink({ unit_amount: '12.50', quantity_max: 4, name: 'Concert' })
    const quantity = page.getByRole('spinbutton', { name: 'Quantity' })
    await page.getByRole('button', { name: 'One more' }).click()
    await expect(quantity).toHaveValue('2')
    await recordAnnouncements(page)
    await quantity.press('ArrowUp')
    await expect(page.getByRole('button', { name: 'Pay €37.50' })).toBeVisible()
    expect(await page.evaluate(() => window.records)).toEqual(['live: €37.50'])
    await quantity.fill('9')
    await expect(quantity).toHaveValue('4')
    await page.getByRole('button', { name: 'One fewer' }).click()
    await expect(page.getByRole('button', { name: 'Pay €37.50' })).toBeVisible()
    await expectAccessible(page)
    await checkout.payToReceipt()
    await expect(page.locator('.properties')).toContainText('3 × €12.50')
    expect((await link.read('payment')).payment).toMatchObject({ amount: '37.50', quantity: 3 })
  },
)
