import base from '../../locales/default.json' with { type: 'json' }
import { CARDS, expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

const CARD = { number: CARDS.approve, exp_month: 12, exp_year: 2040, csc: '123' }

test(
  'a first payment takes the place of the first steps, while the screen is open',
  { tag: '@deep' },
  async ({ page, request, user }) => {
    watchPolicy(page)
    await openConsole(page, user, '/console/default')
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'An owner signs in' })).toBeVisible()
    await expectAccessible(page)

    const sandbox = await request.post('/sandbox/tokens', { data: { card: CARD } })
    const { token } = (await sandbox.json()) as { token: string }
    await callApi(page, 'POST', '/payments', {
      payment: { amount: '62.00', currency: 'EUR', alt_key: 'kiln-1', payment_method: { token } },
    })
    const sums = page.getByRole('region', { name: 'Taken, EUR' })
    await expect(sums.getByText('€62.00').first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeHidden()
    await expect(page.getByRole('listitem').filter({ hasText: 'kiln-1' })).toContainText('Paid')
    await expectAccessible(page, 'dark')
  },
)

test(
  'translations that a change of the base text made stale are counted, and listed by the table',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await expect(navigation.getByRole('link', { name: 'Wording' })).toHaveText('Wording')
    await callApi(page, 'PUT', '/strings/receipt.print', { string: { text: 'Print it' } })
    await page.reload()
    await expect(navigation.getByRole('link', { name: /Wording.*25/ })).toBeVisible()
    await page.locator('main a[href*="view=table"]').first().click()
    await expect(page.getByRole('row', { name: 'receipt.print' })).toContainText('Stale')
    await expect(page.getByRole('rowheader')).toHaveCount(1)
    await callApi(page, 'PUT', '/strings/receipt.print', {
      string: { text: base['receipt.print'] },
    })
  },
)
