import { CARDS, expect, test } from './fixtures.ts'

/** The effect of each option of a link on the page. */

test('a fixed amount, reference and comment are shown and cannot be changed', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    alt_key: 'order-7',
    description: 'Two chairs',
    default_amount: '1.00',
    default_alt_key: 'other',
    default_description: 'other',
  })
  await checkout.open(link.url)
  await expect(page.getByText('order-7')).toBeVisible()
  await expect(page.getByText('Two chairs')).toBeVisible()
  for (const label of ['Amount', 'Reference', 'Comment']) {
    await expect(page.getByLabel(label, { exact: true })).toHaveCount(0)
  }
  await expect(page.getByText('other', { exact: true })).toHaveCount(0)
})

test('defaults prefill fields that the payer may change', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink({
    default_amount: '5.00',
    default_alt_key: 'gift-1',
    default_description: 'For the team',
    allow_description: true,
  })
  await checkout.open(link.url)
  await expect(page.getByLabel('Amount')).toHaveValue('5.00')
  await expect(page.getByLabel('Reference')).toHaveValue('gift-1')
  await expect(page.getByLabel('Comment')).toHaveValue('For the team')
  await page.getByLabel('Amount').fill('7.50')
  await page.getByLabel('Reference').fill('gift-2')
  await page.getByLabel('Comment').fill('For Ada')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { payment } = await merchant.readLink(link.id, 'payment')
  expect(payment).toMatchObject({ amount: '7.50', alt_key: 'gift-2', description: 'For Ada' })
})

test('a default comment is read-only where comments are not allowed', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00', default_description: 'For the team' })
  await checkout.open(link.url)
  await expect(page.getByText('For the team')).toBeVisible()
  await expect(page.getByLabel('Comment')).toHaveCount(0)
})

test('name and introduction keep their line breaks and are never HTML', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({
    amount: '5.00',
    name: 'Tea & <b>cake</b>',
    page_intro: 'First line\nSecond <i>line</i>',
  })
  await checkout.open(link.url)
  await expect(checkout.heading('Tea & <b>cake</b>')).toBeVisible()
  await expect(page.getByText('Second <i>line</i>')).toBeVisible()
  await expect(page).toHaveTitle(/Tea & <b>cake<\/b>/)
})

test('a link without a name shows the name of the instance', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My company')
})

test('a pending receipt shows the message of the merchant', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({
    amount: '5.00',
    page_pending_message: 'We will write to you.',
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.pendingSuccess)
  await expect(page.getByText('We will write to you.')).toBeVisible()
})

test('the details of an account prefill the form, with the address lines in order', async ({
  checkout,
  merchant,
  page,
}) => {
  const address = {
    line1: '12 rue des Lilas',
    line2: 'Bâtiment B',
    line3: 'c/o Martin',
    line4: 'Lyon',
    line5: '69003',
    line6: 'FR-69',
    country: 'FR',
  }
  const link = await merchant.createLink({
    amount: '5.00',
    account: { first_name: 'Amina', last_name: 'Okafor', email: 'a@example.com', address },
  })
  await checkout.open(link.url)
  await expect(page.getByLabel('First name')).toHaveValue('Amina')
  await expect(page.getByLabel('Email')).toHaveValue('a@example.com')
  const shown = await page
    .locator('.stack :is(input, select)')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
  expect(shown).toEqual(['', '12 rue des Lilas', 'Bâtiment B', 'c/o Martin', '69003', 'Lyon', 'FR'])
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { account } = await merchant.readLink(link.id, 'account')
  expect(account.address).toMatchObject(address)
})

for (const [currency, amount, shown] of [
  ['JPY', '500', '¥500'],
  ['EUR', '10.5', '€10.50'],
  // `Intl` would format both with fewer decimals.
  ['HUF', '10.5', 'HUF 10.50'],
  ['KWD', '1.234', 'KWD 1.234'],
] as const) {
  test(`${currency} is formatted with the decimals of its currency and charged exactly`, async ({
    checkout,
    merchant,
    page,
  }) => {
    const link = await merchant.createLink({ amount, currency })
    await checkout.open(link.url)
    const words = new RegExp(`${shown.replace(' ', '\\s')}$`)
    await expect(checkout.payButton).toHaveText(words)
    await checkout.pay(CARDS.approve)
    await expect(checkout.heading('Payment complete')).toBeVisible()
    await expect(page.locator('.amount')).toHaveText(words)
    const { payment } = await merchant.readLink(link.id, 'payment')
    expect([Number(payment.amount), payment.currency]).toEqual([Number(amount), currency])
  })
}

for (const [currency, typed, wrong] of [
  ['JPY', '500', '500.5'],
  ['EUR', '10.50', '10.505'],
  ['KWD', '1.234', '1.2345'],
] as const) {
  test(`a chosen amount in ${currency} accepts as many decimals as the currency has`, async ({
    checkout,
    merchant,
    page,
  }) => {
    const link = await merchant.createLink({ currency })
    await checkout.open(link.url)
    await page.getByLabel('Amount').fill(wrong)
    await page.locator('button[type=submit]').click()
    await expect(page.getByLabel('Amount')).toHaveAccessibleDescription(
      /Enter the amount in figures/,
    )
    await page.getByLabel('Amount').fill(typed)
    await checkout.pay(CARDS.approve)
    await expect(checkout.heading('Payment complete')).toBeVisible()
    const { payment } = await merchant.readLink(link.id, 'payment')
    expect(Number(payment.amount)).toBe(Number(typed))
  })
}

test('a link with an account id asks for no details and reveals none', async ({
  checkout,
  merchant,
  page,
}) => {
  const first = await merchant.createLink({
    amount: '5.00',
    account: {
      first_name: 'Amina',
      last_name: 'Okafor',
      email: 'amina@example.com',
      address: { line1: '12 rue des Lilas', country: 'FR' },
    },
  })
  await checkout.open(first.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { account } = await merchant.readLink(first.id)
  const second = await merchant.createLink({ amount: '6.00', account })
  await checkout.open(second.url)
  await expect(page.getByText('Your details')).toHaveCount(0)
  for (const private_ of ['Amina', 'Okafor', 'amina@', 'Lilas', account]) {
    expect(await page.content()).not.toContain(private_)
  }
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(second.id)).account).toBe(account)
})

test('the subdivision of an address is kept with its country and removed with it', async ({
  checkout,
  merchant,
  page,
}) => {
  const address = { line1: '12 rue des Lilas', line6: 'FR-69', country: 'FR' }
  const link = await merchant.createLink({ amount: '5.00', account: { address } })
  await checkout.open(link.url)
  await page.getByLabel('Country').focus()
  await page.getByLabel('Country').selectOption('BE')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { account } = await merchant.readLink(link.id, 'account')
  expect(account.address).toMatchObject({ line1: address.line1, country: 'BE' })
  expect(account.address.line6 ?? null).toBeNull()
})

test('force_add offers every new method and no saved method', async ({
  checkout,
  merchant,
  page,
}) => {
  const first = await merchant.createLink({
    amount: '5.00',
    account: { email: 'ada@example.com' },
    save_card: true,
  })
  await checkout.open(first.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { account } = await merchant.readLink(first.id)
  const second = await merchant.createLink({ amount: '6.00', account, force_add: true })
  await checkout.open(second.url)
  const names = await page
    .getByRole('radio')
    .evaluateAll((radios) => radios.map((radio) => radio.closest('label')?.innerText.trim()))
  expect(names).toEqual(['Card', 'Direct debit', 'Pay by bank'])
  await page.getByRole('radio', { name: 'Direct debit' }).check()
  await page.getByLabel('IBAN').fill('GB35 SAND 0000 0000 0000 77')
  await page.getByLabel('Account holder').fill('Ada Lovelace')
  await checkout.payButton.click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('dates are in the time zone of the link and name it', async ({ checkout, merchant, page }) => {
  const expires = '2034-01-31T23:30:00Z'
  const link = await merchant.createLink(
    { amount: '5.00', timezone: 'Pacific/Kiritimati' },
    { expires },
  )
  await checkout.open(link.url)
  await expect(page.getByText(/February 1, 2034 at 1:30\sPM GMT\+14/)).toBeVisible()
})

test('the date of the receipt is in the time zone of the link', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00', timezone: 'Asia/Kathmandu' })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(page.locator('.properties')).toContainText(/\d:\d\d\s[AP]M GMT\+5:45/)
})
