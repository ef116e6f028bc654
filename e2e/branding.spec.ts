import { expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'

/** The merchant's colors and logo, and the link preview. */

const LOGO = 'https://mark.example/mark.svg'
const BRANDING = {
  key: 'kids',
  name: 'Kids',
  channels: ['kids-web'],
  theme: { accent: '#ffcc00', radius: '2px' },
  logo: LOGO,
}

test(
  'a branding colors the page with enough contrast, and an initial replaces a missing logo',
  { tag: '@deep' },
  async ({ api, checkout, openLink, page }) => {
    await page.route(LOGO, (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>',
      }),
    )
    const instance = { brandings: [BRANDING] }
    await api('/instances/default', { method: 'PUT', body: { instance } })
    await openLink({ amount: '5.00', channel: 'kids-web' })
    await expect(checkout.payButton).toHaveCSS('border-radius', '2px')
    await expect(checkout.payButton).not.toHaveCSS('background-color', 'rgb(11, 107, 79)')
    await expect(page.locator('img.logo')).toBeVisible()
    await expectAccessible(page)
    await page.unroute(LOGO)
    await page.route(LOGO, (route) => route.abort())
    await page.reload()
    await expect(page.locator('img.logo')).toHaveCount(0)
    await expect(page.locator('.merchant')).toContainText('Kids')
    await openLink({ amount: '5.00' })
    await expect(checkout.payButton).toHaveCSS('background-color', 'rgb(11, 107, 79)')
    await api('/instances/default', { method: 'PUT', body: { instance: { brandings: [] } } })
  },
)

test('the link preview in a chat has the name and the amount', async ({ merchant, request }) => {
  const link = await merchant.createLink({ amount: '24.00', name: 'Coffee & cake' })
  const page = await request.get(link.url)
  const html = await page.text()
  expect(html).toContain('<meta property="og:title" content="Coffee &amp; cake')
  expect(html).toMatch(/<meta property="og:description" content="[^"]*€24\.00/)
  expect(page.headers()['x-robots-tag']).toBe('noindex')
  const code = await request.get(`${link.url}/qr.svg`)
  expect(code.headers()['content-type']).toBe('image/svg+xml')
})
