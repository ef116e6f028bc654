import { CARDS, expect, expectAccessible, test } from './fixtures.ts'

/** The checkbox and the consent for saving a card, by the options of the link. */

const account = { email: 'ada@example.com' }
const CHECKBOX = /Save for future payments/

test('the checkbox for saving a card is unchecked by default', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00', account })
  await checkout.open(link.url)
  const checkbox = page.getByRole('checkbox', { name: CHECKBOX })
  await expect(checkbox).not.toBeChecked()
  await checkbox.check()
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const paid = await merchant.readLink(link.id, 'payment_method')
  expect(paid.payment_method.card.last4).toBe('4242')
})

test('a default checks the box, and the payer may uncheck it', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00', account, default_save_card: true })
  await checkout.open(link.url)
  const checkbox = page.getByRole('checkbox', { name: CHECKBOX })
  await expect(checkbox).toBeChecked()
  await checkbox.uncheck()
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).payment_method).toBeNull()
})

for (const options of [
  { save_card: true },
  { default_save_card: true, hide_save_card_toggle: true },
]) {
  test(`saving without a choice shows the consent sentence: ${JSON.stringify(options)}`, async ({
    checkout,
    merchant,
    page,
  }) => {
    const link = await merchant.createLink({ amount: '5.00', account, ...options })
    await checkout.open(link.url)
    await expect(page.getByRole('checkbox', { name: CHECKBOX })).toHaveCount(0)
    await expect(page.getByText('By paying, you agree that')).toBeVisible()
    await expectAccessible(page)
    await checkout.pay(CARDS.approve)
    await expect(checkout.heading('Payment complete')).toBeVisible()
    const paid = await merchant.readLink(link.id, 'payment_method')
    expect(paid.payment_method.consent.text).toContain('By paying, you agree that')
  })
}

for (const options of [{ save_card: false }, { hide_save_card_toggle: true }]) {
  test(`a link that never saves shows no consent: ${JSON.stringify(options)}`, async ({
    checkout,
    merchant,
    page,
  }) => {
    const link = await merchant.createLink({ amount: '5.00', account, ...options })
    await checkout.open(link.url)
    await expect(page.getByRole('checkbox', { name: CHECKBOX })).toHaveCount(0)
    await expect(page.getByText('By paying, you agree that')).toHaveCount(0)
    await checkout.pay(CARDS.approve)
    await expect(checkout.heading('Payment complete')).toBeVisible()
    expect((await merchant.readLink(link.id)).payment_method).toBeNull()
  })
}

test('save_card false withdraws methods that must store a token first', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00', save_card: false })
  await checkout.open(link.url)
  await expect(page.getByRole('radio', { name: 'Direct debit' })).toHaveCount(0)
  await expect(page.getByRole('radio', { name: 'Pay by bank' })).toBeVisible()
})

test('a method that must be stored shows the box checked and disabled', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  await page.getByRole('radio', { name: 'Direct debit' }).check()
  const checkbox = page.getByRole('checkbox', { name: CHECKBOX })
  await expect(checkbox).toBeChecked()
  await expect(checkbox).toBeDisabled()
})

test('a saved card is offered to its account and pays with its security code alone', async ({
  checkout,
  merchant,
  page,
}) => {
  const first = await merchant.createLink({ amount: '5.00', account, save_card: true })
  await checkout.open(first.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { account: accountId } = await merchant.readLink(first.id)

  const second = await merchant.createLink({ amount: '6.00', account: accountId })
  await checkout.open(second.url)
  await expect(page.getByRole('radio', { name: /ending in 4242/ })).toBeChecked()
  await expect(page.getByLabel('Email')).toHaveCount(0)
  await expectAccessible(page)
  await checkout.securityCode.fill('123')
  await checkout.payButton.click()
  await expect(checkout.heading('Payment complete')).toBeVisible()

  const third = await merchant.createLink({ amount: '6.00', account: accountId, force_add: true })
  await checkout.open(third.url)
  await expect(page.getByRole('radio', { name: /ending in 4242/ })).toHaveCount(0)
})
