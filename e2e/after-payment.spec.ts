import { CARDS, expect, test } from './fixtures.ts'

/** Receipts and redirects after a payment, by the options of the link. */

test('skip_receipt redirects to success_url at once, byte for byte', async ({
  checkout,
  merchant,
  page,
  shop,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    success_url: `${shop}/ok?q=a%20b&flag#top`,
    skip_receipt: true,
  })
  await checkout.open(link.url)
  const redirected = page.waitForResponse((response) => response.status() === 303)
  await checkout.pay(CARDS.approve)
  await page.waitForURL(new RegExp(shop))
  expect(new URL((await redirected).url()).pathname).toMatch(/^\/pay\/checkouts\/[\w-]+\/return$/)
  const { transaction } = await merchant.readLink(link.id)
  expect(page.url()).toBe(
    `${shop}/ok?q=a%20b&flag&payment_link=${link.id}&status=COMPLETED&transaction=${transaction}#top`,
  )
})

test('the button of a receipt leads to success_url, and no message is shown', async ({
  checkout,
  merchant,
  page,
  shop,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    success_url: `${shop}/ok`,
    page_success_message: 'Never shown',
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect(page.getByText('Never shown')).toHaveCount(0)
  await page.getByRole('link', { name: /Return to/ }).click()
  await page.waitForURL(new RegExp(`^${shop}/ok\\?payment_link=.+&status=COMPLETED`))
})

test('a receipt without a URL shows the merchant’s message and no button', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    page_success_message: 'See you on Sunday!',
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(page.getByText('See you on Sunday!')).toBeVisible()
  await expect(page.getByRole('link', { name: /Return to/ })).toHaveCount(0)
})

test('skip_receipt without a URL shows the receipt', async ({ checkout, merchant }) => {
  const link = await merchant.createLink({ amount: '24.00', skip_receipt: true })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a pending payment redirects to pending_url', async ({ checkout, merchant, page, shop }) => {
  const link = await merchant.createLink({
    amount: '24.00',
    pending_url: `${shop}/wait`,
    success_url: `${shop}/ok`,
    skip_receipt: true,
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.pendingSuccess)
  await page.waitForURL(new RegExp(`^${shop}/wait\\?payment_link=.+&status=PENDING`))
})

test('a pending payment without pending_url does not redirect to success_url before it is paid', async ({
  checkout,
  merchant,
  page,
  shop,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    success_url: `${shop}/ok`,
    skip_receipt: true,
  })
  await checkout.open(link.url)
  const onArrival: string[] = []
  await page.route(`${shop}/ok**`, async (route) => {
    onArrival.push((await merchant.readLink(link.id)).status)
    await route.continue()
  })
  await checkout.pay(CARDS.pendingSuccess)
  await expect(checkout.heading('Payment on its way')).toBeVisible()
  await page.waitForURL(new RegExp(`^${shop}/ok\\?payment_link=.+&status=COMPLETED`))
  expect(onArrival).toEqual(['PAYMENT_SUCCESS'])
})

test('a challenge returns to success_url without the page’s script', async ({
  checkout,
  merchant,
  page,
  shop,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    success_url: `${shop}/ok`,
    skip_receipt: true,
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.challenge)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(new RegExp(`^${shop}/ok\\?payment_link=.+&status=COMPLETED`))
})
