import { CARDS, expect, expectAccessible, test } from './fixtures.ts'

/** Fields that a link requests, and their values on the receipt. */

test('a reference field is shown only where the link requests one', async ({
  checkout,
  merchant,
  page,
}) => {
  const plain = await merchant.createLink({ amount: '5.00' })
  await checkout.open(plain.url)
  await expect(page.getByLabel('Reference')).toHaveCount(0)
  const open = await merchant.createLink({ amount: '5.00', default_alt_key: '' })
  await checkout.open(open.url)
  await page.getByLabel('Reference').fill('INV-77')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { payment } = await merchant.readLink(open.id, 'payment')
  expect(payment.alt_key).toBe('INV-77')
})

test('the receipt has the name and both references, also when it is opened again', async ({
  checkout,
  merchant,
  page,
  browser,
}) => {
  const link = await merchant.createLink({ amount: '5.00', name: 'Two chairs', alt_key: 'order-7' })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { payment } = await merchant.readLink(link.id, 'payment')
  const other = await browser.newPage()
  await other.goto(link.url)
  for (const receipt of [page, other]) {
    const facts = receipt.locator('.properties')
    await expect(facts).toContainText('Payment forTwo chairs')
    await expect(facts).toContainText('Referenceorder-7')
    await expect(facts).toContainText(`Payment reference${payment.reference}`)
  }
  await expectAccessible(page)
  await other.close()
})

test('an amount may include its currency, and another currency shows an error', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ currency: 'EUR' })
  await checkout.open(link.url)
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
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { payment } = await merchant.readLink(link.id, 'payment')
  expect([payment.amount, payment.currency]).toEqual(['20.00', 'EUR'])
})

test('the state field is shown for countries whose addresses have one', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  await page.getByText('Add phone and address').click()
  await page.getByLabel('Country').focus()
  await page.getByLabel('Country').selectOption('DE')
  await expect(page.getByLabel('State or province')).toHaveCount(0)
  await page.getByLabel('Country').selectOption('US')
  await page.getByLabel('State or province').selectOption({ label: 'California' })
  await expectAccessible(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { account } = await merchant.readLink(link.id, 'account')
  expect(account.address).toMatchObject({ country: 'US', line6: 'US-CA' })
})

test('the state of a prefilled address is in its field', async ({ merchant, page }) => {
  const address = { country: 'CA', line6: 'CA-QC' }
  const link = await merchant.createLink({ amount: '5.00', account: { address } })
  await page.goto(link.url)
  await expect(page.getByLabel('State or province')).toHaveValue('CA-QC')
})

test('the text of every field is large enough that phones do not zoom in', async ({
  checkout,
  merchant,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const address = { country: 'US', line1: 'Main Street 1', line3: 'c/o Ada' }
  const links = [
    await merchant.createLink({
      default_alt_key: '',
      description: 'Books',
      allow_description: true,
      account: { address },
    }),
  ]
  for (const { url } of links) {
    await checkout.open(url)
    await page.getByText('Use a test card').click()
    for (const method of await page.getByRole('radio').all()) {
      await method.check()
      const fields = await page
        .locator('input:not([type=radio], [type=checkbox]), select, textarea')
        .evaluateAll((all) =>
          all.map((field) => [
            field.getAttribute('name') ?? field.id,
            parseFloat(getComputedStyle(field).fontSize) >= 16,
          ]),
        )
      expect(fields.length).toBeGreaterThan(8)
      expect(fields.filter(([, large]) => !large)).toEqual([])
    }
  }
  expect(await page.getByLabel('Language').count()).toBe(1)
})

test('the milestones are sent with the payment', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill('ada@example.com')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const [session] = await merchant.listCheckouts(link.id)
  const { opened, details_done, method_chosen, submitted } = session?.milestones ?? {}
  const order = [opened, details_done, method_chosen, submitted]
  expect(order.every((moment) => typeof moment === 'string')).toBe(true)
  expect(order).toEqual(order.toSorted((a, b) => String(a).localeCompare(String(b))))
})
