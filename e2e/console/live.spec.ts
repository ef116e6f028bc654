import type { Payment } from '../../shared/schemas/payment.ts'
import { CARDS, expect, expectAccessible } from '../fixtures.ts'
import { basic } from '../../test/client.ts'
import { PASSWORD } from '../oauth-fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

const CARD = { number: CARDS.approve, exp_month: 12, exp_year: 2040, csc: '123' }

test(
  'a list announces a payment that is made meanwhile, and shows it',
  { tag: '@deep' },
  async ({ page, request, user }) => {
    watchPolicy(page)
    const connected = page.waitForResponse(/\/events\/stream/)
    await openConsole(page, user, '/console/default/payments?cols=amount,status,refunded')
    await connected
    await expect(page.locator('.list-foot, .empty')).toBeVisible()
    const pay = async (reference: string) => {
      const sandbox = await request.post('/sandbox/tokens', { data: { card: CARD } })
      const { token } = (await sandbox.json()) as { token: string }
      const { payment } = await callApi<{ payment: Payment }>(page, 'POST', '/payments', {
        payment: {
          amount: '31.40',
          currency: 'EUR',
          alt_key: reference,
          payment_method: { token },
        },
      })
      return payment
    }
    const key = `live-${Date.now()}`
    const { id } = await pay(key)
    await page.getByRole('button', { name: /^\d+ new$/ }).click()
    const row = page.locator(`[data-row="${id}"]`)
    await expect(row).toContainText('Paid')
    await expectAccessible(page)

    // A row changes where it is.
    await callApi(page, 'POST', `/payments/${id}/refund`, { refund: { amount: '12.00' } })
    await expect(row).toContainText('€12.00')
  },
)

test(
  'a list catches up with what happened while the browser was offline',
  { tag: '@deep' },
  async ({ page, request, user }) => {
    const connected = page.waitForResponse(/\/events\/stream/)
    await openConsole(page, user, '/console/default/payments')
    await connected
    await expect(page.locator('.list-foot, .empty')).toBeVisible()
    const pay = async () => {
      const sandbox = await request.post('/sandbox/tokens', { data: { card: CARD } })
      const { token } = (await sandbox.json()) as { token: string }
      const data = { payment: { amount: '5.00', currency: 'EUR', payment_method: { token } } }
      // Not from the page, which is offline.
      const made = await request.post('/c/api/instances/default/payments', {
        headers: { authorization: basic(`${user}:${PASSWORD}`) },
        data,
      })
      return (await made.json()) as { payment: Payment }
    }
    // The place behind which the stream goes on.
    await pay()
    await page.getByRole('button', { name: /^\d+ new$/ }).click()
    await page.context().setOffline(true)
    const { payment } = await pay()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: /^\d+ new$/ }).click()
    await expect(page.locator(`[data-row="${payment.id}"]`)).toBeVisible()
  },
)

test(
  'a stream of events that ends at once is not asked for without a pause',
  { tag: '@deep' },
  async ({ page, user }) => {
    let asked = 0
    await page.route('**/events/stream', async (route) => {
      asked += 1
      await route.fulfill({ contentType: 'text/event-stream', body: ': begun\n\n' })
    })
    await openConsole(page, user, '/console/default/payments')
    await expect.poll(() => asked).toBeGreaterThan(1)
    await page.waitForTimeout(3000)
    expect(asked).toBeLessThan(20)
  },
)
