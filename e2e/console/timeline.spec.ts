import { CARDS, expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, payLink, watchPolicy } from './fixtures.ts'

test('a payment tells what happened', { tag: '@deep' }, async ({ page, request, user }) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/payments')
  const { payment_link } = await callApi<{ payment_link: { id: string } }>(
    page,
    'POST',
    '/payment_links',
    { payment_link: { options: { amount: '124.00', name: 'Ceramics workshop, 28 March' } } },
  )
  await payLink(request, payment_link.id, [CARDS.insufficient, CARDS.approve])
  const paid = await callApi<{ payment_link: { payment: string } }>(
    page,
    'GET',
    `/payment_links/${payment_link.id}`,
  )
  const { payment } = paid.payment_link
  await callApi(page, 'POST', `/payments/${payment}/refund`, {
    refund: { amount: '24.00', reason: 'one place less' },
  })
  await page.goto(`/console/default/payments/${payment}`)
  const entries = page.locator('.timeline > li')
  await expect(entries).toContainText([
    /€24\.00 refunded.*“one place less”, by /,
    'Paid',
    /Declined.*Visa ending in \d{4}/,
    /Page opened.*in French/,
    'Link made',
  ])
  await expectAccessible(page)
  await entries.filter({ hasText: 'Page opened' }).getByRole('link').click()
  await expect(page).toHaveURL(/\/checkouts\/ck_/)
  await expect(entries.filter({ hasText: 'Declined' })).toBeVisible()
  await expectAccessible(page, 'dark')
})

test(
  'a checkout shows the page in the wording that its payer saw',
  { tag: '@deep' },
  async ({ page, request, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default/checkouts')
    const say = (text: string) =>
      callApi(page, 'POST', '/strings', {
        strings: [{ id: 'receipt.title', language: 'fr', text }],
      })
    await say('Merci, à samedi !')
    const { payment_link } = await callApi<{ payment_link: { id: string } }>(
      page,
      'POST',
      '/payment_links',
      { payment_link: { options: { amount: '31.00', name: 'Two places' } } },
    )
    await payLink(request, payment_link.id, [CARDS.insufficient, CARDS.approve])
    await say('Merci !')
    const { checkouts } = await callApi<{ checkouts: { id: string }[] }>(
      page,
      'GET',
      '/checkouts?limit=1',
    )
    await page.goto(`/console/default/checkouts/${checkouts[0]?.id}`)
    const seen = page.frameLocator('iframe')
    await expect(seen.getByText('Merci, à samedi !')).toBeVisible()
    await expect(seen.getByText('31,00')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Declined' }).check({ force: true })
    await expect(seen.getByRole('button', { name: /31,00/ })).toBeVisible()
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await expectAccessible(page, 'dark')
  },
)
