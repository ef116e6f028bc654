import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import type { Json } from '../../test/payments-client.ts'
import { payNewLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { api } = app.merchant

async function stuck(query = ''): Promise<Json> {
  const { status, json, text } = await api(`/checkout_monitor/stuck?${query}`)
  expect(status, text).toBe(200)
  return json
}

it('lists what waits for a processor, oldest first, by the conventions of lists', async () => {
  const at = app.now()
  const challenged = await payNewLink(app, CARDS.challenge)
  app.pass(1000)
  const pending = await payNewLink(app, CARDS.pendingSuccess)
  app.pass(1000)
  const lost = await payNewLink(app, CARDS.noAnswerNotTaken)
  await payNewLink(app, CARDS.approve)
  await payNewLink(app, CARDS.decline)
  const [payment] = (await api('/payments?criteria=status=UNRESOLVED')).json.payments
  const of = ({ stuck: rows }: Json) => rows.map(({ id, status }: Json) => [id, status])
  expect(of(await stuck())).toEqual([[payment.id, 'UNRESOLVED']])
  app.pass(597_999)
  expect(await stuck()).toMatchObject({ meta: { total: 1 } })
  app.pass(1)
  expect(of(await stuck())).toEqual([
    [challenged.payer.checkout.id, 'SUBMITTED'],
    [payment.id, 'UNRESOLVED'],
  ])
  app.pass(2000)
  const all = await stuck()
  expect(of(all)).toEqual([
    [challenged.payer.checkout.id, 'SUBMITTED'],
    [pending.payer.checkout.id, 'PENDING'],
    [lost.payer.checkout.id, 'PENDING'],
    [payment.id, 'UNRESOLVED'],
  ])
  expect(all.stuck[0]).toEqual({
    id: challenged.payer.checkout.id,
    type: 'CHECKOUT',
    status: 'SUBMITTED',
    payment_link: challenged.link.id,
    account: null,
    amount: '12.50',
    currency: 'EUR',
    since: new Date(at).toISOString(),
    created: new Date(at).toISOString(),
  })
  expect(of(await stuck('criteria=type=PAYMENT'))).toEqual([[payment.id, 'UNRESOLVED']])
  const page = await stuck('order=since:desc&limit=1&offset=3&expand=payment_link')
  expect(page.meta).toEqual({ limit: 1, offset: 3, total: 4 })
  expect(page.stuck[0].payment_link.id).toBe(challenged.link.id)
  expect((await api('/checkout_monitor/stuck?expand=payment')).status).toBe(400)
})
