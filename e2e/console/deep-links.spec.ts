import { expect, expectAccessible } from '../fixtures.ts'
import { newUser } from '../oauth-fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

test(
  'a merchant makes a deep link, and sees who paid it',
  { tag: '@deep' },
  async ({ page, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/links/deep')
    await page.getByRole('link', { name: 'New deep link' }).first().click()
    await page.getByLabel('What for').fill('Library fund')
    await page.getByRole('textbox', { name: 'Amount' }).fill('5')
    const slug = `fund-${Date.now()}`
    await page.getByLabel('Name in the address').fill(slug)
    await page.getByLabel('How often at most').fill('2')
    await expectAccessible(page, 'dark')
    await page.getByRole('button', { name: 'Create link' }).click()
    const url = await page.getByLabel('Address for the payer').inputValue()
    expect(url).toContain(`/go/${slug}`)
    await expect(page.getByText('Payers appear here')).toBeVisible()

    const payer = await page.context().newPage()
    await payer.goto(url)
    await payer.getByLabel('Card number').fill('4242 4242 4242 4242')
    await payer.getByLabel('Expiry date').fill('12/40')
    await payer.getByLabel('Security code').fill('123')
    // The script of the page runs by now.
    await expect(payer.getByText('This is a Visa card.')).toBeAttached()
    await payer.getByRole('button', { name: /^Pay/ }).click()
    await expect(payer.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    await payer.close()
    await page.reload()
    await expect(page.getByText('1 of 2')).toBeVisible()
    await expect(page.getByRole('row', { name: /€5.00/ })).toContainText('Paid')
    await expectAccessible(page)
  },
)

test('a deep link is edited, copied and archived, and a task is made @deep', async ({ page }) => {
  watchPolicy(page)
  await openConsole(page, await newUser(), '/console/default/links/deep')
  await expect(page.getByText('can be used by many payers')).toBeVisible()
  await expectAccessible(page)
  const { deep_link: link } = await callApi<{ deep_link: { id: string } }>(
    page,
    'POST',
    '/deep_links',
    { deep_link: { action: 'PAY', options: { name: 'Raffle', description: 'kept' } } },
  )
  await page.goto(`/console/default/links/deep/${link.id}/edit`)
  await page.getByLabel('How often at most').fill('7')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('0 of 7')).toBeVisible()
  const { deep_link: changed } = await callApi<{ deep_link: object }>(
    page,
    'GET',
    `/deep_links/${link.id}`,
  )
  expect(changed).toMatchObject({ max_uses: 7, options: { name: 'Raffle', description: 'kept' } })
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await expect(page.getByLabel('What for')).toHaveValue('Raffle')
  await page.goBack()
  await page.getByRole('button', { name: 'Archive' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('It is archived')).toBeVisible()
  await expectAccessible(page)

  const { account } = await callApi<{ account: { id: string } }>(page, 'POST', '/accounts', {
    account: { crm_key: 'customer-7', first_name: 'Ada', last_name: 'Berg' },
  })
  await page.goto(`/console/default/customers/${account.id}`)
  await page.getByRole('link', { name: 'Link to a task' }).click()
  await expect(dialog.getByText('Ada Berg')).toBeVisible()
  await dialog.getByLabel('Ends after days').fill('31')
  await expect(dialog.getByRole('button', { name: 'Create and copy' })).toBeDisabled()
  await dialog.getByLabel('Ends after days').fill('30')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create and copy' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Save a payment method')
  await expect(page.getByText('Every browser that has this address')).toBeVisible()
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('How often at most').fill('1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('0 of 1')).toBeVisible()
  await expectAccessible(page)
  await page.goto(await page.getByLabel('Address for the payer').inputValue())
  await expect(page.getByLabel('Card number')).toBeVisible()
})
