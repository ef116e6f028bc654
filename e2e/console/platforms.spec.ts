import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { openConsole, watchPolicy } from './fixtures.ts'

test('the access of a platform ends at once, and the audit log says who ended it', async ({
  page,
  platform,
  user,
  request,
}) => {
  await openConsole(page, user, '/console/default/developers/platforms')
  await page.goto(platform.authorise({ scope: 'payments:read' }))
  await page.getByRole('button', { name: 'Approve' }).press('Enter')
  await page.waitForURL(/code=/)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const { access_token } = await platform.exchange(code)
  const call = () =>
    request.get('/c/api/payments', { headers: { authorization: `Bearer ${access_token}` } })
  expect((await call()).status()).toBe(200)

  watchPolicy(page)
  await page.goto('/console/default/developers/platforms')
  await page.getByRole('link', { name: 'Ledgerly' }).first().click()
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('payments:read')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End access' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page, 'dark')
  await dialog.getByRole('button', { name: 'End access' }).click()
  await expect(page.getByText('Access has ended')).toBeVisible()
  expect((await call()).status()).toBe(401)

  await page.goto('/console/default/settings/audit')
  await page.getByRole('link', { name: 'Platform’s access ended' }).first().click()
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText(user)
  await expectAccessible(page)
})
