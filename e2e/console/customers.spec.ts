import { readFile } from 'node:fs/promises'
import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole } from './fixtures.ts'
import { fullShop, openAs } from './shop.ts'

test(
  'a customer is changed, exported and gets a link; others of the same key are named',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/customers')
    const make = (first_name: string) =>
      callApi<{ account: { id: string } }>(page, 'POST', '/accounts', {
        account: { crm_key: 'customer,8', first_name, tags: 'vip' },
      })
    const { account: other } = await make('Bea')
    const { account } = await make('Ada')
    await page.goto(`/console/default/customers/${account.id}`)
    await expect(page.getByText('1 other customer has the key customer,8:')).toBeVisible()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByLabel('Last name').fill('Berg')
    await dialog.getByLabel('Email').fill('ada@example.com')
    await dialog.getByLabel('Country').fill('FR')
    await dialog.getByLabel('Tags').fill('')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ada Berg')
    const { account: changed } = await callApi<{ account: object }>(
      page,
      'GET',
      `/accounts/${account.id}`,
    )
    expect(changed).toMatchObject({
      first_name: 'Ada',
      email: 'ada@example.com',
      tags: null,
      address: { country: 'FR' },
    })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const saved = JSON.parse(await readFile(await (await download).path(), 'utf8')) as object
    expect(saved).toMatchObject({ account: { id: account.id }, payments: [], payment_links: [] })
    await page.getByRole('link', { name: 'Bea' }).click()
    await expect(page).toHaveURL(new RegExp(other.id))
    await page.getByRole('link', { name: 'New link' }).click()
    await expect(page.getByText('Bea').first()).toBeVisible()
  },
)

test(
  'a charge gets another amount and loses its due date',
  { tag: '@deep' },
  async ({ page, baseURL }) => {
    const { email } = await fullShop(baseURL ?? '')
    await openAs(page, email, '/console/default/charges')
    const criteria = 'status=ACTIVE,due!!'
    const { charges } = await callApi<{ charges: { id: string }[] }>(
      page,
      'GET',
      `/charges?criteria=${criteria}&limit=1`,
    )
    const id = charges[0]?.id
    await page.goto(`/console/default/charges/${id}`)
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('nothing')
    await expect(dialog.getByText('Enter an amount, such as 24.00.')).toBeVisible()
    await dialog.getByLabel('Amount').fill('1,234.50')
    await dialog.getByLabel('Has a due date').uncheck()
    await expectAccessible(page, 'dark')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    const { charge } = await callApi<{ charge: object }>(page, 'GET', `/charges/${id}`)
    expect(charge).toMatchObject({ amount: '1234.50', due: null })
  },
)
