import { describe, expect, it } from 'vitest'
import { type ApiResponse, startTestApp } from '../../test/app.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { CARDS, cardToken } from '../../test/payer-client.ts'

/** What belongs to another merchant is as unknown as what never was. */

const app = await startTestApp()
const other = await app.newMerchant()
const client = openPaymentsClient(app)

const { account, method } = await client.storeCard()
const payment = await client.pay(CARDS.approve, { alt_key: 'Canary/key', description: 'canary' })
const auth = await client.authorise(CARDS.approve, { alt_key: 'Canary auth' })
const { capture } = (await client.capture(auth.id, { amount: '10.00', alt_key: 'Canary cap' })).json
const { refund } = (await client.refund(payment.id, { amount: '1.00' })).json
const second = await client.authorise()
const released = (await client.release(second.id)).json.void
const announced = await client.pay(undefined, {
  payment_method: method,
  due: '2031-01-01T00:00:00Z',
})

const ids = [payment.id, auth.id, capture.id, announced.id]
const transactions = [payment.transaction, auth.transaction, capture.transaction]
const keys = ['Canary/key', 'canary auth', 'CANARY CAP'].map(encodeURIComponent)
/** An unknown name of the same form as a known one. */
const unknown = (name: string) => (/_/.test(name) ? `${name.split('_')[0]}_1_a` : 'nobody')

async function same(call: (name: string) => Promise<ApiResponse>, name: string): Promise<void> {
  const [theirs, nobodys] = [await call(name), await call(unknown(name))]
  expect([theirs.status, theirs.text]).toEqual([nobodys.status, nobodys.text])
  expect(theirs.status).toBeGreaterThanOrEqual(400)
  const types = ({ headers }: ApiResponse) => [headers.get('content-type'), headers.get('etag')]
  expect(types(theirs)).toEqual(types(nobodys))
}

describe('another instance', () => {
  it.each([...ids, ...transactions, ...keys])('can neither read nor change %s', async (name) => {
    const before = await Promise.all(ids.map((id) => client.read(id)))
    await same((named) => other.api(`/payments/${named}`), name)
    await same((named) => other.api(`/payments/${named}?expand=transaction,parts`), name)
    for (const verb of ['refund', 'capture', 'void']) {
      await same((named) => other.api(`/payments/${named}/${verb}`, { method: 'POST' }), name)
    }
    const offline = { refund: { offline: true } }
    await same((named) => other.api(`/payments/${named}/refund`, { body: offline }), name)
    expect(await Promise.all(ids.map((id) => client.read(id)))).toEqual(before)
  })

  it.each([
    ['captures', capture.id],
    ['refunds', refund.id],
    ['voids', released.id],
  ])('finds nothing in /%s/%s', async (area, name) => {
    await same((named) => other.api(`/${area}/${named}`), name)
    if (area !== 'refunds') return
    const body = { refund: { status: 'DECLINED' } }
    await same((named) => other.api(`/refunds/${named}`, { method: 'PUT', body }), name)
  })

  it.each([
    ['account', account],
    ['payment_method', method],
  ])('cannot pay with the %s of this one', async (member, name) => {
    const token = await cardToken(app, CARDS.approve)
    const send = (named: string) =>
      other.api('/payments', {
        body: {
          payment: { amount: '1.00', payment_method: { token }, [member]: named },
        },
      })
    await same(send, name)
  })

  it('cannot pay a charge of this one', async () => {
    const token = await cardToken(app, CARDS.approve)
    const send = (charge: string) =>
      other.api('/payments', {
        body: {
          payment: {
            amount: '1.00',
            currency: 'EUR',
            payment_method: { token },
            parts: [{ charge, amount: '1.00' }],
          },
        },
      })
    await same(send, announced.charge)
  })

  it('lists none of its records with any criteria', async () => {
    for (const area of ['payments', 'captures', 'refunds', 'reversals', 'voids']) {
      for (const query of ['', `?criteria=id=${payment.id};${capture.id};${refund.id}`]) {
        const { json } = await other.api(`/${area}${query}`)
        expect([json[area], json.meta.total]).toEqual([[], 0])
      }
    }
  })

  it('with the same alt_key makes no key ambiguous', async () => {
    const foreign = openPaymentsClient(app, other)
    await foreign.pay(CARDS.approve, { alt_key: 'shared' })
    await client.pay(CARDS.approve, { alt_key: 'shared' })
    expect((await foreign.refund('shared')).status).toBe(200)
    expect((await client.refund('shared')).status).toBe(200)
  })

  it('with the same crm_key pays for its own account', async () => {
    await client.pay(CARDS.approve, { account: { crm_key: 'shared', phone: '1' } })
    const foreign = await openPaymentsClient(app, other).pay(CARDS.approve, {
      account: { crm_key: 'shared' },
    })
    const { json } = await other.api(`/accounts/${foreign.account}`)
    expect(json.account).toMatchObject({ crm_key: 'shared', phone: null })
  })
})
