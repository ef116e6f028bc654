import { expect, expectAccessible } from './fixtures.ts'
import { CheckoutPage } from './pages/checkout.ts'
import { inline } from './pages/shop.ts'
import { test } from './test.ts'

/** Links that many payers use. */

const PHONE = { width: 390, height: 844 }
const POSTER = { name: 'Library fund', amount_presets: ['5.00', '10.00'], currency: 'EUR' }

test('a poster is paid by two payers on phones, and then takes no more payments', async ({
  api,
  baseURL,
  checkout,
  context,
  page,
}) => {
  const slug = `donate-${Date.now().toString(36)}`
  const body = { deep_link: { action: 'PAY', slug, max_uses: 2, options: POSTER } }
  const { deep_link } = await api('/deep_links', { body })
  const url = new URL(`/go/${slug}`, baseURL).href
  expect(deep_link.url).toBe(url)
  const code = await page.request.get(`${url}/qr.svg`)
  expect([code.status(), code.headers()['content-type']]).toEqual([200, 'image/svg+xml'])

  await page.setViewportSize(PHONE)
  await checkout.open(url)
  await page.getByRole('radio', { name: '€5.00' }).check()
  await checkout.payToReceipt()
  await expect(page.getByRole('link', { name: 'Pay again' })).toBeVisible()
  await expectAccessible(page)

  // The session is kept by a tab, so another tab is another payer.
  const second = await context.newPage()
  await second.setViewportSize(PHONE)
  const other = new CheckoutPage(second)
  await other.open(url)
  await second.getByRole('radio', { name: '€10.00' }).check()
  await other.payToReceipt()
  const used = (await api(`/deep_links/${slug}`)).deep_link
  expect(used).toMatchObject({ uses: 2, reserved_uses: 0, status: 'EXHAUSTED' })
  const { payment_links } = await api(`/deep_links/${slug}/payment_links?expand=payment`)
  const amounts = payment_links.map(
    ({ payment }: { payment: { amount: string } }) => payment.amount,
  )
  expect(amounts.toSorted((a: string, b: string) => Number(a) - Number(b))).toEqual([
    '5.00',
    '10.00',
  ])

  await page.getByRole('link', { name: 'Pay again' }).click()
  await expect(checkout.heading('No longer available')).toBeVisible()
  await expectAccessible(page)
})

test(
  'a deep link is paid in a merchant’s page',
  { tag: '@deep' },
  async ({ api, framed, visit }) => {
    const body = { deep_link: { action: 'PAY', options: POSTER } }
    const { deep_link } = await api('/deep_links', { body })
    await visit(inline(deep_link))
    await framed.place.getByRole('radio', { name: '€5.00' }).check()
    await framed.payToReceipt()
    expect((await api(`/deep_links/${deep_link.id}`)).deep_link.uses).toBe(1)
  },
)
