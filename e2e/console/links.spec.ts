import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'
import { watchProblems } from './screen-checks.ts'

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
  const problems = watchProblems(page)
  // As extensions of a browser do.
  await page.evaluate(() => frames[0]?.postMessage({ from: 'an extension' }, location.origin))
  await expectAccessible(page)
  expect(problems).toEqual([])
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

test('a search keeps what is typed while its former answer comes', async ({ page, user }) => {
  await openConsole(page, user, '/console/default/payments')
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.pressSequentially('glaze ')
  await expect(page).toHaveURL(/q=glaze$/)
  await search.pressSequentially('course')
  await expect(search).toHaveValue('glaze course')
  await expect(page).toHaveURL(/q=glaze(\+|%20)course$/)
  await page.goto('/console/default/payments?q=glaze')
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(search).toHaveValue('')
  await page.goBack()
  await expect(search).toHaveValue('glaze')
})

test(
  'an expired link is extended by a week, and is sent by mail where the server can',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/links')
    const { payment_link: link } = await callApi<{ payment_link: { id: string } }>(
      page,
      'POST',
      '/payment_links',
      {
        payment_link: {
          options: { amount: '24.00', currency: 'EUR', name: 'Late' },
          expires: new Date(Date.now() + 1500).toISOString(),
        },
      },
    )
    await page.goto(`/console/default/links/${link.id}`)
    await expect(async () => {
      await page.reload()
      await expect(page.getByText('Expired').first()).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.getByRole('button', { name: 'Extend by a week' }).click()
    await expect(page.getByText('It can be paid for a week')).toBeVisible()
    await page.getByRole('button', { name: 'Send by mail' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send this link' })
    await expect(dialog.getByRole('button', { name: 'Send by mail' })).toBeDisabled()
    await dialog.getByLabel('Email address').fill('ada@example.com')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send by mail' }).click()
    await expect(dialog.getByText('This server sends no mail')).toBeVisible()
  },
)
