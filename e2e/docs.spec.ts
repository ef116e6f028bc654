import { expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

test('a guide is found by a search, and read', { tag: '@deep' }, async ({ page }) => {
  await page.goto('/docs')
  await expectAccessible(page)
  await page.getByRole('searchbox').fill('verify signature')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('verify signature')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Verify the signature' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks')
  await expect(page.getByRole('heading', { name: 'Verify the signature' })).toBeInViewport()
  await expectAccessible(page, 'dark')
})

test('the reference reaches no cookie, no answer of the API and no other host', async ({
  page,
  baseURL,
}) => {
  const base = new URL(baseURL ?? '')
  await page.context().addCookies([{ name: 'session', value: 'secret', url: base.origin }])
  const others: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== base.origin) others.push(request.url())
  })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto('/docs/reference')
  await expect(page.getByText('Create a payment link').first()).toBeVisible()
  await expect(page.getByText('/payment_links').first()).toBeVisible()
  const reached = await page.evaluate(async () => {
    const attempt = async (work: () => unknown) => {
      try {
        return String(await work())
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      origin: self.origin,
      cookie: await attempt(() => document.cookie),
      storage: await attempt(() => indexedDB.open('x') && 'opened'),
      api: await attempt(
        async () =>
          (await fetch('/c/api/instances/default/payments', { credentials: 'include' })).status,
      ),
      elsewhere: await attempt(async () => (await fetch('https://example.com')).status),
    }
  })
  expect(reached).toEqual({
    origin: 'null',
    cookie: 'SecurityError',
    storage: expect.stringMatching(/Error$/),
    api: 'TypeError',
    elsewhere: 'TypeError',
  })
  expect(errors).toEqual([])
  expect(others).toEqual([])
})
