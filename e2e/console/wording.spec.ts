import { expect } from '../fixtures.ts'
import { test } from '../test.ts'
import { openConsole, watchPolicy } from './fixtures.ts'

test('tmp', async ({ page, user }) => {
  watchPolicy(page)
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message, e.stack?.slice(0, 500)))
  page.on('console', (m) => console.log('CONSOLE', m.text().slice(0, 300)))
  await page.route('**/string_overrides*', (route) =>
    route.fulfill({ json: { string_overrides: [{ id: 'checkout.pay', language: 'default', text: 'Book for {amount}' }], meta: { version: 1 } } }),
  )
  await page.setViewportSize({ width: 1440, height: 900 })
  await openConsole(page, user, '/console/default/wording')
  await page.waitForTimeout(2500)
  await page.screenshot({ path: '/tmp/w1.png' })
  const frame = page.frameLocator('iframe')
  await frame.getByRole('button', { name: 'Book for €12.50' }).last().click()
  await page.waitForTimeout(500)
  await page.getByRole('textbox', { name: 'Text' }).fill('Donate {amount}')
  await page.waitForTimeout(500)
  await page.screenshot({ path: '/tmp/w2.png' })
  await page.goto('/console/default/wording?lang=ar&state=receipt')
  await page.waitForTimeout(2000)
  await page.screenshot({ path: '/tmp/w3.png' })
  expect(1).toBe(1)
})
