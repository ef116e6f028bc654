import type { Payment } from '../../shared/schemas/payment.ts'
import { CARDS, expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

const CARD = { number: CARDS.approve, exp_month: 12, exp_year: 2040, csc: '123' }

test('a payment is found by the last digits of its card, without the mouse', async ({
  page,
  request,
  user,
}) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/links')
  const sandbox = await request.post('/sandbox/tokens', { data: { card: CARD } })
  const { token } = (await sandbox.json()) as { token: string }
  const { payment } = await callApi<{ payment: Payment }>(page, 'POST', '/payments', {
    payment: { amount: '62.00', currency: 'EUR', alt_key: 'glaze-9', payment_method: { token } },
  })
  const found = async () =>
    (await callApi<{ results: { id: string }[] }>(page, 'GET', '/search?q=4242')).results
  await expect.poll(found).toContainEqual(expect.objectContaining({ id: payment.id }))

  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search' })
  await expect(search).toBeFocused()
  await search.fill('4242')
  const option = page.getByRole('option', { name: /glaze-9/ })
  await expect(option).toContainText('€62.00')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(payment.id))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('62.00')
})

test(
  'the search leads to screens, remembers records, and says when there is nothing',
  { tag: '@deep' },
  async ({ page, user }) => {
    watchPolicy(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await openConsole(page, user, '/console/default/settings')
    await page.getByRole('button', { name: 'Search' }).click()
    const search = page.getByRole('combobox', { name: 'Search' })
    await search.fill('no such thing')
    await expect(page.getByText('Nothing found for “no such thing”')).toBeVisible()
    await expectAccessible(page, 'dark')
    await search.fill('cust')
    await page.getByRole('option', { name: 'Customers' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customers')

    await page.route('**/search?*', (route) => route.abort('connectionreset'))
    await page.keyboard.press('Control+k')
    await search.fill('4242')
    await expect(page.getByRole('alert')).toContainText('No connection to the server.')
    await expectAccessible(page)
    await page.unroute('**/search?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert')).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(search).toBeHidden()
    // A list has a search box of its own.
    await page.keyboard.press('/')
    await expect(search).toBeHidden()
    await page.goto('/console/default/settings')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
  },
)
