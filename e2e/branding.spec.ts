import { expect, expectAccessible, test } from './fixtures.ts'

/** The merchant's colors and logo, and the link preview. */

const SECRET = Buffer.from('sk_test_e2e_4f9c21d07ab83e65c1f2970d8be4a3f6:').toString('base64')

test.describe.configure({ mode: 'serial' })

async function dress(baseURL: string | undefined, instance: unknown): Promise<void> {
  const answer = await fetch(`${baseURL}/c/api/instances/default/instances/default`, {
    method: 'PUT',
    headers: { authorization: `Basic ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ instance }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

const LOOK = {
  key: 'kids',
  name: 'Kids',
  channels: ['kids-web'],
  theme: { accent: '#ffcc00', radius: '2px' },
}

test('a branding colors the page, and low contrast is corrected', async ({
  baseURL,
  checkout,
  merchant,
  page,
}) => {
  await dress(baseURL, { brandings: [LOOK] })
  const link = await merchant.createLink({ amount: '5.00', channel: 'kids-web' })
  await checkout.open(link.url)
  await expect(checkout.payButton).toHaveCSS('border-radius', '2px')
  const colour = await checkout.payButton.evaluate(
    (button) => getComputedStyle(button).backgroundColor,
  )
  expect(colour).not.toBe('rgb(11, 107, 79)')
  await expectAccessible(page)
  const plain = await merchant.createLink({ amount: '5.00' })
  await checkout.open(plain.url)
  await expect(checkout.payButton).toHaveCSS('background-color', 'rgb(11, 107, 79)')
})

test('a logo that cannot be loaded is replaced by the initial', async ({
  baseURL,
  checkout,
  merchant,
  page,
}) => {
  await page.route('https://mark.example/**', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>',
    }),
  )
  await dress(baseURL, { brandings: [{ ...LOOK, logo: 'https://mark.example/mark.svg' }] })
  const link = await merchant.createLink({ amount: '5.00', channel: 'kids-web' })
  await checkout.open(link.url)
  await expect(page.locator('img.logo')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('https://mark.example/**')
  await page.route('https://mark.example/**', (route) => route.abort())
  await page.reload()
  await expect(page.locator('img.logo')).toHaveCount(0)
  await expect(page.locator('.merchant')).toContainText('Kids')
  await dress(baseURL, { brandings: [] })
})

test('the link preview in a chat has the name and the amount', async ({ merchant, request }) => {
  const link = await merchant.createLink({ amount: '24.00', name: 'Coffee & cake' })
  const html = await (await request.get(link.url)).text()
  expect(html).toContain('<meta property="og:title" content="Coffee &amp; cake')
  expect(html).toMatch(/<meta property="og:description" content="[^"]*€24\.00/)
  expect(html).toContain('<meta name="robots" content="noindex">')
  const code = await request.get(`${link.url}/qr.svg`)
  expect(code.headers()['content-type']).toBe('image/svg+xml')
})
