import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { openConsole, watchPolicy } from './fixtures.ts'

test('a merchant makes a link, finds it in the list, and a payer pays it', async ({
  page,
  user,
}) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/links/new')
  await page.getByLabel('What for').fill('Ceramics workshop')
  await page.getByRole('textbox', { name: 'Amount' }).fill('24.50')
  await page.getByLabel('Reference').fill('order-7001')
  await expect(page.getByText('"amount": "24.50"')).toBeVisible()
  const preview = page.frameLocator('iframe[title="The payer’s page"]')
  await expect(preview.getByRole('heading', { name: 'Ceramics workshop' })).toBeVisible()
  await expect(preview.getByRole('button', { name: 'Pay €24.50' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ceramics workshop')
  // The editor has the same heading.
  const url = await page.getByLabel('Address for the payer').inputValue()
  await expectAccessible(page, 'dark')

  await page.getByRole('link', { name: 'Links', exact: true }).first().click()
  const row = page.getByRole('row', { name: /Ceramics workshop/ })
  await expect(row).toContainText('€24.50')
  await expect(row).toContainText('Active')
  await expectAccessible(page)

  const payer = await page.context().newPage()
  await payer.goto(url)
  await payer.getByLabel('Card number').fill('4242 4242 4242 4242')
  await payer.getByLabel('Expiry date').fill('12/40')
  await payer.getByLabel('Security code').fill('123')
  await payer.getByRole('button', { name: /^Pay/ }).click()
  await expect(payer.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  await payer.close()
  await page.reload()
  await expect(row).toContainText('Paid')
})

test('the state of a list is in its address', async ({ page, user }) => {
  await openConsole(page, user, '/console/default/links?tab=archived')
  await expect(page.getByRole('link', { name: 'Archived' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Active', exact: true }).click()
  await expect(page).toHaveURL(/tab=active/)
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Archived' })).toHaveAttribute('aria-current', 'page')
})
