import type { Payment } from '../../shared/schemas/payment.ts'
import type { Refund } from '../../shared/schemas/refund.ts'
import { CARDS, expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

const API = '/c/api/instances/default'
const CARD = { number: CARDS.approve, exp_month: 12, exp_year: 2040, csc: '123' }

test('a refund whose answer is lost is made once', async ({ page, request, user }) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/payments')
  const sandbox = await request.post('/sandbox/tokens', { data: { card: CARD } })
  const { token } = (await sandbox.json()) as { token: string }
  const { payment } = await callApi<{ payment: Payment }>(page, 'POST', '/payments', {
    payment: { amount: '62.00', currency: 'EUR', payment_method: { token } },
  })
  expect(payment.status).toBe('SUCCESS')
  await page.goto(`/console/default/payments/${payment.id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('70')
  await expect(dialog.getByText('At most €62.00 is left.')).toBeVisible()
  await dialog.getByLabel('Amount').fill('12.00')
  await expect(dialog.getByRole('row', { name: 'Stays with you' })).toContainText('€50.00')
  await expectAccessible(page)

  // The server makes the refund, and its answer does not arrive; then a network answers in its place.
  let sent = 0
  await page.route(`**${API}/payments/${payment.id}/refund`, async (route) => {
    sent += 1
    const answer = await route.fetch()
    if (sent === 1) await route.abort('connectionreset')
    else if (sent === 2) await route.fulfill({ contentType: 'text/html', body: 'Sign in' })
    else await route.fulfill({ response: answer })
  })
  await dialog.getByRole('button', { name: 'Refund €12.00' }).click()
  await expect(dialog.getByText('it cannot take place twice')).toBeVisible()
  await expect(dialog.getByLabel('Amount')).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeHidden()
  await expectAccessible(page, 'dark')
  await dialog.getByRole('button', { name: 'Ask again' }).click()
  await expect.poll(() => sent).toBe(2)
  await expect(dialog.getByText('it cannot take place twice')).toBeVisible()
  await dialog.getByRole('button', { name: 'Ask again' }).click()
  await expect(dialog.getByText('Done.')).toBeVisible()
  expect(sent).toBe(3)

  const { refunds: made } = await callApi<{ refunds: Refund[] }>(
    page,
    'GET',
    `/refunds?criteria=payment=${payment.id}`,
  )
  expect(made.map(({ amount }) => amount)).toEqual(['12.00'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('€50.00').first()).toBeVisible()
})
