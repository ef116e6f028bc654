import { CARDS, expect } from './fixtures.ts'
import { test } from './test.ts'

/** Receipts and redirects after a payment, by the options of the link. */

const arrived = (url: string, status: string) =>
  new RegExp(`^${url}\\?payment_link=.+&status=${status}`)

test('skip_receipt redirects to success_url at once, byte for byte', async ({
  checkout,
  openLink,
  page,
  shop,
}) => {
  const success_url = `${shop}/ok?q=a%20b&flag#top`
  const link = await openLink({ amount: '24.00', success_url, skip_receipt: true })
  const redirected = page.waitForResponse((response) => response.status() === 303)
  await checkout.pay()
  await page.waitForURL(new RegExp(shop))
  expect(new URL((await redirected).url()).pathname).toMatch(/^\/pay\/checkouts\/[\w-]+\/return$/)
  const { transaction } = await link.read()
  expect(page.url()).toBe(
    `${shop}/ok?q=a%20b&flag&payment_link=${link.id}&status=COMPLETED&transaction=${transaction}#top`,
  )
})

test('a receipt leads to success_url without a message, and Back shows it and never pays again', async ({
  checkout,
  openLink,
  page,
  shop,
}) => {
  const link = await openLink({
    amount: '24.00',
    success_url: `${shop}/ok`,
    page_success_message: 'Never shown',
  })
  await checkout.payToReceipt()
  await expect(page.getByText('Never shown')).toHaveCount(0)
  await page.getByRole('link', { name: /Return to/ }).click()
  await page.waitForURL(arrived(`${shop}/ok`, 'COMPLETED'))
  await page.goBack()
  await expect(checkout.receipt).toBeVisible()
  expect((await link.read()).attempts).toBe(1)
})

test(
  'a receipt without a URL shows the merchant’s message and no button',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink({ amount: '24.00', page_success_message: 'See you on Sunday!' })
    await checkout.payToReceipt()
    await expect(page.getByText('See you on Sunday!')).toBeVisible()
    await expect(page.getByRole('link', { name: /Return to/ })).toHaveCount(0)
  },
)

test(
  'skip_receipt without a URL shows the receipt',
  { tag: '@deep' },
  async ({ checkout, openLink }) => {
    await openLink({ amount: '24.00', skip_receipt: true })
    await checkout.payToReceipt()
  },
)

test('a pending payment redirects to pending_url', async ({ checkout, openLink, page, shop }) => {
  const [pending_url, success_url] = [`${shop}/wait`, `${shop}/ok`]
  await openLink({ amount: '24.00', pending_url, success_url, skip_receipt: true })
  await checkout.pay(CARDS.pendingSuccess)
  await page.waitForURL(arrived(pending_url, 'PENDING'))
})

test(
  'a pending payment without pending_url does not redirect to success_url before it is paid',
  { tag: '@deep' },
  async ({ checkout, openLink, page, shop }) => {
    const link = await openLink({ amount: '24.00', success_url: `${shop}/ok`, skip_receipt: true })
    const onArrival: string[] = []
    await page.route(`${shop}/ok**`, async (route) => {
      onArrival.push((await link.read()).status)
      await route.continue()
    })
    await checkout.pay(CARDS.pendingSuccess)
    await expect(checkout.heading('Payment on its way')).toBeVisible()
    await page.waitForURL(arrived(`${shop}/ok`, 'COMPLETED'))
    expect(onArrival).toEqual(['PAYMENT_SUCCESS'])
  },
)

test('a challenge returns to success_url without the page’s script', async ({
  checkout,
  openLink,
  page,
  shop,
}) => {
  await openLink({ amount: '24.00', success_url: `${shop}/ok`, skip_receipt: true })
  await checkout.pay(CARDS.challenge)
  await checkout.answerBank('Approve')
  await page.waitForURL(arrived(`${shop}/ok`, 'COMPLETED'))
})

test(
  'the redirect screen has a link for browsers that block redirects',
  { tag: '@deep' },
  async ({ checkout, openLink, page, shop }) => {
    await openLink({ amount: '24.00', success_url: `${shop}/ok`, skip_receipt: true })
    await page.route('**/return', (route) => route.fulfill({ status: 204 }))
    await checkout.pay()
    await expect(checkout.heading(/^Taking you back to/)).toBeFocused()
    await page.unroute('**/return')
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(arrived(`${shop}/ok`, 'COMPLETED'))
  },
)
