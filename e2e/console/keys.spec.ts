import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { openConsole, watchPolicy } from './fixtures.ts'

const API = '/c/api/instances/default'

test(
  'a restricted key works for its scope, is refused beyond it, rotated, and revoked',
  { tag: '@deep' },
  async ({ page, request, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/developers/keys')
    await expect(page.getByRole('link', { name: 'Keys', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expectAccessible(page)
    await page.getByRole('button', { name: 'New key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Accounting')
    await expect(dialog.getByRole('button', { name: 'Create key' })).toBeDisabled()
    await dialog.getByLabel('Links and checkouts').selectOption('Read')
    await dialog.getByLabel('Expires').selectOption('In 90 days')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await expect(dialog.getByText('This is shown once.')).toBeVisible()
    const secret = (await dialog.locator('.copy-text code').textContent()) ?? ''
    expect(secret).toMatch(/^sk_test_/)
    await expect(dialog.getByText(`CHECKSTAND_KEY=${secret}`)).toBeVisible()
    await expectAccessible(page, 'dark')

    const call = (key: string, path: string) =>
      request.get(`${API}${path}`, {
        headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      })
    expect((await call(secret, '/payment_links')).status()).toBe(200)
    const refused = await call(secret, '/payments')
    expect(refused.status()).toBe(403)
    expect(await refused.text()).toContain('This secret key lacks the scope payments:read')
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    const row = page.getByRole('row', { name: /Accounting/ })
    await expect(row).toContainText('payment_links:read')
    await expect(page.getByText(secret)).toHaveCount(0)
    await row.getByRole('link').first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accounting')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await expect(dialog.getByText('This is shown once.')).toBeVisible()
    const next = (await dialog.locator('.copy-text code').textContent()) ?? ''
    for (const key of [secret, next]) expect((await call(key, '/payment_links')).status()).toBe(200)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.getByRole('button', { name: 'Revoke' }).click()
    await expect(dialog.getByText('It was last used')).toBeVisible()
    await expectAccessible(page, 'dark')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByRole('button', { name: 'Revoke' })).toHaveCount(0)
    expect((await call(secret, '/payment_links')).status()).toBe(401)
    expect((await call(next, '/payment_links')).status()).toBe(200)
    await page.goto('/console/default/developers/keys?tab=revoked')
    await expect(page.getByRole('row', { name: /Accounting/ })).toContainText('Revoked')
  },
)

test(
  'a list of keys that cannot be read says so in place',
  { tag: '@deep' },
  async ({ page, user }) => {
    await page.route(`**${API}/secret_keys?**`, (route) =>
      route.fulfill({ status: 403, json: { error: { type: 'FORBIDDEN', message: 'No.' } } }),
    )
    await openConsole(page, user, '/console/default/developers/keys')
    await expect(page.getByRole('alert')).toContainText('Your role cannot see this.')
    await expectAccessible(page)
  },
)
