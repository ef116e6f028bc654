import { expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'
import { lose } from './network.ts'

/** The checkbox and the consent for saving a card, and saved cards. */

const account = { email: 'ada@example.com' }
const CHECKBOX = /Save for future payments/

for (const initial of [false, true]) {
  test(`the box for saving is ${initial ? 'checked' : 'unchecked'} by default, and the payer’s choice counts`, async ({
    checkout,
    openLink,
    page,
  }) => {
    const link = await openLink({ amount: '5.00', account, default_save_card: initial })
    const checkbox = page.getByRole('checkbox', { name: CHECKBOX })
    await expect(checkbox).toBeChecked({ checked: initial })
    await checkbox.setChecked(!initial)
    await checkout.payToReceipt()
    const { payment_method } = await link.read('payment_method')
    expect(payment_method?.card.last4).toBe(initial ? undefined : '4242')
  })
}

for (const [options, saves, offersDebit, ...tag] of [
  [{ save_card: true }, true, true, '@deep'],
  [{ default_save_card: true, hide_save_card_toggle: true }, true, true, '@deep'],
  // Methods that must store a token first are withdrawn.
  [{ save_card: false }, false, false],
  [{ hide_save_card_toggle: true }, false, true, '@deep'],
] as const) {
  test(
    `without a choice, the consent is shown where the card is saved: ${JSON.stringify(options)}`,
    { tag },
    async ({ checkout, openLink, page }) => {
      const link = await openLink({ amount: '5.00', account, ...options })
      await expect(page.getByRole('checkbox', { name: CHECKBOX })).toHaveCount(0)
      await expect(page.getByText('By paying, you agree that')).toHaveCount(saves ? 1 : 0)
      await expect(page.getByRole('radio', { name: 'Direct debit' })).toHaveCount(
        offersDebit ? 1 : 0,
      )
      if (!saves) await expect(page.getByRole('radio', { name: 'Pay by bank' })).toBeVisible()
      await expectAccessible(page, saves ? 'light' : 'dark')
      await checkout.payToReceipt()
      const { payment_method } = await link.read('payment_method')
      if (saves) expect(payment_method.consent.text).toContain('By paying, you agree that')
      else expect(payment_method).toBeNull()
    },
  )
}

test('a saved card pays with its code alone, without revealing details, unless force_add', async ({
  checkout,
  openLink,
  page,
}) => {
  const first = await openLink({
    amount: '5.00',
    save_card: true,
    account: {
      first_name: 'Amina',
      last_name: 'Okafor',
      email: 'amina@example.com',
      address: { line1: '12 rue des Lilas', country: 'FR' },
    },
  })
  await checkout.payToReceipt()
  const saved = await first.read()
  expect(saved.payment_method).toMatch(/^pm_/)

  const second = await openLink({ amount: '6.00', account: saved.account })
  await expect(page.getByRole('radio', { name: /ending in 4242/ })).toBeChecked()
  await expect(page.getByText('Your details')).toHaveCount(0)
  await expect(page.getByLabel('Email')).toHaveCount(0)
  for (const secret of ['Amina', 'Okafor', 'amina@', 'Lilas', saved.account]) {
    expect(await page.content()).not.toContain(secret)
  }
  await expectAccessible(page)
  await checkout.securityCode.fill('123')
  // The link alone does not remove it.
  await expect(page.getByRole('button', { name: 'Remove' })).toHaveCount(0)
  await checkout.payButton.click()
  await expect(checkout.receipt).toBeVisible()
  expect((await second.read()).account).toBe(saved.account)

  await openLink({ amount: '6.00', account: saved.account, force_add: true })
  const names = await page
    .getByRole('radio')
    .evaluateAll((radios) => radios.map((radio) => radio.closest('label')?.innerText.trim()))
  expect(names).toEqual(['Card', 'Direct debit', 'Pay by bank'])
  await page.getByRole('radio', { name: 'Direct debit' }).check()
  await page.getByLabel('IBAN').fill('GB35 SAND 0000 0000 0000 77')
  await page.getByLabel('Account holder').fill('Ada Lovelace')
  await checkout.payButton.click()
  await expect(checkout.receipt).toBeVisible()
})

test(
  'a card can be removed only on the receipt of the payment that saved it, if need be twice',
  { tag: '@deep' },
  async ({ browser, checkout, openLink, page }) => {
    const link = await openLink({ amount: '5.00', save_card: true, account })
    await checkout.pay()
    const savedNotice = page.getByText('has saved this payment method.')
    await expect(savedNotice).toBeVisible()

    // Another session of the same link does not show the method.
    const other = await browser.newPage()
    await other.goto(link.url)
    await expect(other.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Print' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Remove' })).toHaveCount(0)
    await other.close()

    await page.reload()
    await expect(savedNotice).toBeVisible()
    await expectAccessible(page)
    const remove = page.getByRole('button', { name: 'Remove' })
    await remove.focus()
    await page.keyboard.press('Enter')
    const question = page.getByText('Remove this payment method for good?')
    await expect(question).toBeFocused()
    await expectAccessible(page, 'dark')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(remove).toBeFocused()
    await expect(savedNotice).toBeVisible()
    await lose(page, '**/payment_methods/*')
    await page.keyboard.press('Enter')
    await expect(question).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const status = page.getByRole('status')
    await expect(status).toContainText('The payment method was not removed.')
    await expect(remove).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(status).toHaveText('The payment method was removed.')
    await expect(page.getByRole('group', { name: 'Payment method' })).toBeFocused()
    await expect(remove).toHaveCount(0)
    await expectAccessible(page)
    expect((await link.read('payment_method')).payment_method.status).toBe('REMOVED')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
    await expect(remove).toHaveCount(0)
  },
)
