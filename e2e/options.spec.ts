import { expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** The effect of each option of a link on the page, and the fields that a link requests. */

test('fixed terms are shown as text, in the link’s time zone, and cannot be changed', async ({
  checkout,
  openLink,
  page,
}) => {
  await openLink(
    {
      amount: '24.00',
      alt_key: 'order-7',
      description: 'Two chairs',
      default_amount: '1.00',
      default_alt_key: 'other',
      default_description: 'other',
      name: 'Tea & <b>cake</b>',
      page_intro: 'First line\nSecond <i>line</i>',
      timezone: 'Asia/Kathmandu',
    },
    { expires: '2034-01-31T23:30:00Z' },
  )
  await expect(page.getByText('order-7')).toBeVisible()
  await expect(page.getByText('Two chairs')).toBeVisible()
  for (const label of ['Amount', 'Reference', 'Comment']) {
    await expect(page.getByLabel(label, { exact: true })).toHaveCount(0)
  }
  await expect(page.getByText('other', { exact: true })).toHaveCount(0)
  await expect(checkout.heading('Tea & <b>cake</b>')).toBeVisible()
  await expect(page.getByText('Second <i>line</i>')).toBeVisible()
  await expect(page).toHaveTitle(/Tea & <b>cake<\/b>/)
  await expect(page.getByText(/February 1, 2034 at 5:15\sAM GMT\+5:45/)).toBeVisible()
  await checkout.pay()
  await expect(page.locator('.properties')).toContainText(/\d:\d\d\s[AP]M GMT\+5:45/)
})

test('a plain link shows the instance’s name and asks for no comment and no reference', async ({
  openLink,
  page,
}) => {
  await openLink({ amount: '5.00', default_description: 'For the team' })
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My company')
  await expect(page.getByText('For the team')).toBeVisible()
  await expect(page.getByLabel('Comment')).toHaveCount(0)
  await expect(page.getByLabel('Reference')).toHaveCount(0)
})

for (const [name, typed, alt_key, ...tag] of [
  ['change', 'gift-2', 'gift-2'],
  ['empty', '', null, '@deep'],
] as const) {
  test(
    `defaults prefill fields that the payer may ${name}`,
    { tag },
    async ({ checkout, openLink, page }) => {
      const link = await openLink({
        default_amount: '5.00',
        default_alt_key: 'gift-1',
        default_description: 'For the team',
        allow_description: true,
      })
      await expect(page.getByLabel('Amount')).toHaveValue('5.00')
      await expect(page.getByLabel('Reference')).toHaveValue('gift-1')
      await expect(page.getByLabel('Comment')).toHaveValue('For the team')
      await page.getByLabel('Amount').fill('7.50')
      await page.getByLabel('Reference').fill(typed)
      await page.getByLabel('Comment').fill('For Ada')
      await checkout.payToReceipt()
      const { payment } = await link.read('payment')
      expect(payment).toMatchObject({ amount: '7.50', alt_key, description: 'For Ada' })
    },
  )
}

test('an empty default requests a reference', async ({ checkout, openLink, page }) => {
  const link = await openLink({ amount: '5.00', default_alt_key: '' })
  await page.getByLabel('Reference').fill('INV-77')
  await checkout.payToReceipt()
  expect((await link.read('payment')).payment.alt_key).toBe('INV-77')
})

test('the details of an account prefill the form, with the address lines in order', async ({
  checkout,
  openLink,
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
  const link = await openLink({
    amount: '5.00',
    account: { first_name: 'Amina', last_name: 'Okafor', email: 'a@example.com', address },
  })
  await expect(page.getByLabel('First name')).toHaveValue('Amina')
  await expect(page.getByLabel('Email')).toHaveValue('a@example.com')
  const shown = await page
    .locator('.stack :is(input, select)')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
  expect(shown).toEqual(['', '12 rue des Lilas', 'Bâtiment B', 'c/o Martin', '69003', 'Lyon', 'FR'])
  await checkout.payToReceipt()
  expect((await link.read('account')).account.address).toMatchObject(address)
})

for (const [currency, amount, shown, wrong, ...tag] of [
  ['JPY', '500', '¥500', '500.5', '@deep'],
  ['EUR', '10.5', '€10.50', '10.505', '@deep'],
  // `Intl` would format both with fewer decimals.
  ['HUF', '10.5', 'HUF 10.50', '10.505', '@deep'],
  ['KWD', '1.234', 'KWD 1.234', '1.2345'],
] as const) {
  test(
    `${currency} is typed and formatted with the decimals of its currency and charged exactly`,
    { tag },
    async ({ checkout, openLink, page }) => {
      const link = await openLink({ currency })
      await page.getByLabel('Amount').fill(wrong)
      await page.locator('button[type=submit]').click()
      await expect(page.getByLabel('Amount')).toHaveAccessibleDescription(
        /Enter the amount in figures/,
      )
      await page.getByLabel('Amount').fill(amount)
      const words = new RegExp(`${shown.replace(' ', '\\s')}$`)
      await expect(checkout.payButton).toHaveText(words)
      await checkout.payToReceipt()
      await expect(page.locator('.amount')).toHaveText(words)
      const { payment } = await link.read('payment')
      expect([Number(payment.amount), payment.currency]).toEqual([Number(amount), currency])
    },
  )
}

test(
  'an amount may include its currency, and another currency shows an error',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink({ currency: 'EUR' })
    const amount = page.getByLabel('Amount')
    for (const typed of ['€ 20', '20 €', 'EUR 20']) {
      await amount.fill(typed)
      await expect(checkout.payButton).toHaveText(/Pay €20\.00/)
    }
    await amount.fill('$20')
    await page.locator('button[type=submit]').click()
    await expect(amount).toHaveAccessibleDescription(
      'This payment is in EUR. Enter the amount in EUR.',
    )
    await expectAccessible(page)
    await amount.fill('20 €')
    await checkout.payToReceipt()
    const { payment } = await link.read('payment')
    expect([payment.amount, payment.currency]).toEqual(['20.00', 'EUR'])
  },
)

test(
  'the state field is shown for countries whose addresses have one',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const address = { country: 'CA', line6: 'CA-QC' }
    const link = await openLink({ amount: '5.00', account: { address } })
    const [country, state] = [page.getByLabel('Country'), page.getByLabel('State or province')]
    await expect(state).toHaveValue('CA-QC')
    await country.focus()
    await country.selectOption('DE')
    await expect(state).toHaveCount(0)
    await country.selectOption('US')
    await state.selectOption({ label: 'California' })
    await expectAccessible(page, 'dark')
    await checkout.payToReceipt()
    const { account } = await link.read('account')
    expect(account.address).toMatchObject({ country: 'US', line6: 'US-CA' })
  },
)

test(
  'the subdivision of an address is kept with its country and removed with it',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const address = { line1: '12 rue des Lilas', line6: 'FR-69', country: 'FR' }
    const link = await openLink({ amount: '5.00', account: { address } })
    await page.getByLabel('Country').focus()
    await page.getByLabel('Country').selectOption('BE')
    await checkout.payToReceipt()
    const { account } = await link.read('account')
    expect(account.address).toMatchObject({ line1: address.line1, country: 'BE' })
    expect(account.address.line6 ?? null).toBeNull()
  },
)

test(
  'the milestones are sent with the payment, and a reload keeps the session',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink()
    const resumed = page.waitForResponse((response) => /\/current(\?|$)/.test(response.url()))
    await page.reload()
    expect((await resumed).status()).toBe(200)
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Lovelace')
    await page.getByLabel('Email').fill('ada@example.com')
    await checkout.payToReceipt()
    const [session, ...others] = await link.checkouts()
    expect(others).toEqual([])
    const { opened, details_done, method_chosen, submitted } = session.milestones
    const order = [opened, details_done, method_chosen, submitted]
    expect(order.every((moment) => typeof moment === 'string')).toBe(true)
    expect(order).toEqual(order.toSorted((a, b) => String(a).localeCompare(String(b))))
  },
)
