import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

test(
  'a user keeps columns, a view, colors and a time zone on every device',
  { tag: '@deep' },
  async ({ page, user, browser, baseURL }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/links')
    for (const [name, expires] of [
      ['Small', null],
      ['Large', '2090-01-01T00:00:00Z'],
    ]) {
      const payment_link = { options: { name, amount: '5.00' }, expires }
      await callApi(page, 'POST', '/payment_links', { payment_link })
    }
    await page.goto('/console/default/links?where=expires%3E%3D2090-01-01&order=created')
    await expect(page.getByRole('link', { name: 'Large' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Small' })).toHaveCount(0)

    await page.getByRole('button', { name: 'Columns' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Status' }).uncheck()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('columnheader', { name: 'Status' })).toHaveCount(0)

    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await dialog.getByLabel('Name of the view').fill('From 2090')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save this view' }).click()
    await expect(page.getByRole('button', { name: 'Views' })).toContainText('From 2090')

    await page.goto('/console/me')
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.getByLabel('Time zone').selectOption('Europe/Paris')
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    await expectAccessible(page, 'dark')

    const context = await browser.newContext({ ...(baseURL && { baseURL }) })
    const other = await context.newPage()
    await openConsole(other, user, '/console/default/links')
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(other.getByRole('link', { name: 'Small' })).toBeVisible()
    await expect(other.getByRole('columnheader', { name: 'Status' })).toHaveCount(0)
    await other.getByRole('button', { name: 'Views' }).click()
    await other.getByRole('menuitem', { name: 'From 2090' }).click()
    await expect(other.getByRole('link', { name: 'Small' })).toHaveCount(0)
    await expect(other.getByRole('link', { name: 'Large' })).toBeVisible()
    await other.getByRole('button', { name: 'Views' }).click()
    await other.getByRole('menuitem', { name: 'Delete “From 2090”' }).click()
    await expect(other.getByText('View deleted')).toBeVisible()
    await context.close()
  },
)
