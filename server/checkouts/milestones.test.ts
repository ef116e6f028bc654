import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { type PayerClient, openNewLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { merchant } = app

const read = async ({ checkout }: PayerClient) =>
  (await merchant.api(`/checkouts/${checkout.id}`)).json.checkout

async function ask({ token }: PayerClient, query: string) {
  const headers = { authorization: `Bearer ${token}` }
  expect((await app.call(`/pay/checkouts/current?${query}`, { headers })).status).toBe(200)
}

const at = (ago: number) => new Date(app.now() - ago).toISOString()

describe('a milestone', () => {
  it('is reported with a submit and stored by the server’s clock', async () => {
    const { payer } = await openNewLink(app)
    app.pass(10_000)
    const milliseconds_since = { details_done: 6_000, method_chosen: 2_500 }
    await payer.payByCard(CARDS.approve, { milliseconds_since })
    expect((await read(payer)).milestones).toMatchObject({
      details_done: at(6_000),
      method_chosen: at(2_500),
      submitted: at(0),
      completed: at(0),
    })
  })

  it('is reported with a read of the session, before a submit', async () => {
    const { payer } = await openNewLink(app)
    app.pass(10_000)
    await ask(payer, 'method_chosen=4000')
    const { milestones, status, v } = await read(payer)
    expect(milestones).toMatchObject({
      details_done: null,
      method_chosen: at(4_000),
      submitted: null,
    })
    expect([status, v]).toEqual(['OPEN', 2])
  })

  it('keeps its first report', async () => {
    const { payer } = await openNewLink(app)
    app.pass(10_000)
    await ask(payer, 'method_chosen=4000')
    const first = await read(payer)
    app.pass(1_000)
    await ask(payer, 'method_chosen=0')
    expect(await read(payer)).toEqual(first)
    await payer.payByCard(CARDS.decline, { milliseconds_since: { method_chosen: 0 } })
    expect((await read(payer)).milestones.method_chosen).toBe(first.milestones.method_chosen)
  })

  it('is never earlier than its session', async () => {
    const { payer } = await openNewLink(app)
    app.pass(1_000)
    await ask(payer, 'details_done=999999999999999')
    const { milestones } = await read(payer)
    expect(milestones.details_done).toBe(milestones.opened)
  })

  it('does not turn a repeated submit into another one', async () => {
    const { payer } = await openNewLink(app)
    const attempt_key = crypto.randomUUID()
    const body = { attempt_key, payment_method: { type: 'BANK_TRANSFER', processor: 'sandbox' } }
    const first = await payer.submit({ ...body, milliseconds_since: { method_chosen: 10 } })
    const again = await payer.submit({ ...body, milliseconds_since: { method_chosen: 900 } })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.json).toEqual(first.json)
  })

  it.each([-1, 1.5, '7', null])('of %j milliseconds is refused', async (ago) => {
    const { payer } = await openNewLink(app)
    const response = await payer.payByCard(CARDS.approve, {
      milliseconds_since: { details_done: ago },
    })
    expect(response.status).toBe(400)
    expect(response.json.error.message).toContain('milliseconds_since.details_done')
  })

  it('makes an expired session ABANDONED, which is EXPIRED without any', async () => {
    const { payer: begun } = await openNewLink(app)
    const { payer: idle } = await openNewLink(app)
    await ask(begun, 'method_chosen=0')
    app.pass(3_700_000)
    expect([(await read(begun)).status, (await read(idle)).status]).toEqual([
      'ABANDONED',
      'EXPIRED',
    ])
  })

  it('does not keep a link’s sessions from being closed with it', async () => {
    const { link, payer } = await openNewLink(app)
    const [, archived] = await Promise.all([
      ask(payer, 'method_chosen=0'),
      merchant.api(`/payment_links/${link.id}`, { method: 'DELETE' }),
    ])
    expect(archived.status).toBe(204)
    expect((await read(payer)).status).not.toBe('OPEN')
  })
})
