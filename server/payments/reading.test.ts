import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { refusal, startPaymentsApp } from '../../test/payments-app.ts'
import { errorSummary } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'

/** Reading payments, captures, refunds and voids, one and many. */

const { app, api, client, ...kit } = await startPaymentsApp()

const { account, method } = await client.storeCard()
const payment = await client.pay(undefined, {
  payment_method: { token: await cardToken(app, CARDS.approve), save: true },
  account,
  alt_key: 'Straße 1',
  recurring: { frequency: 'MONTH' },
})
app.pass(1_000)
const auth = await client.authorise(undefined, { payment_method: method })
const capture = await kit.captured(auth.id, { amount: '10.00' })
const refund = await kit.refunded(payment.id, { amount: '1.00', reason: 'Broken' })
const declined = await client.pay(CARDS.decline, { channel: 'phone' })
const released = await kit.released(auth.id)

const get = async (path: string) => (await api(path)).json
const idsOf = async (area: string, query = ''): Promise<string[]> =>
  (await get(`/${area}${query}`))[area].map(({ id }: { id: string }) => id)

it('finds payments by their amount in major units, whatever decimals the currency has', async () => {
  const yen = await client.pay(undefined, { amount: '1234', currency: 'JPY', channel: 'amounts' })
  const dinar = await client.pay(undefined, {
    amount: '1234.500',
    currency: 'KWD',
    channel: 'amounts',
  })
  const found = (criteria: string, order = 'amount') =>
    idsOf(
      'payments',
      `?criteria=${encodeURIComponent(`channel=amounts,${criteria}`)}&order=${order}`,
    )
  expect(await found('amount=1234')).toEqual([yen.id])
  expect(await found('amount>1234,amount<1234.51')).toEqual([dinar.id])
  expect(await found('amount>=1234')).toEqual([yen.id, dinar.id])
  expect(await found('amount>=1234', 'amount:desc')).toEqual([dinar.id, yen.id])
})

describe('expanding', () => {
  it('replaces contract, transaction, parts and method of a payment by records', async () => {
    const { payment: read } = await get(
      `/payments/${payment.id}?expand=contract,transaction,parts,payment_method`,
    )
    const charge = (await get(`/charges/${payment.charge}`)).charge
    expect(read).toEqual({
      ...(await client.read(payment.id)),
      contract: (await get(`/contracts/${payment.contract}`)).contract,
      payment_method: (await get(`/payment_methods/${payment.payment_method}`)).payment_method,
      parts: [{ charge, amount: '10.00' }],
      transaction: expect.objectContaining({
        id: payment.transaction,
        type: 'PAYMENT',
        payment: payment.id,
        contract: payment.contract,
        charge: payment.charge,
      }),
    })
  })

  it('keeps null for absent records', async () => {
    const { payment: read } = await get(
      `/payments/${declined.id}?expand=contract,parts,payment_method`,
    )
    expect(read).toEqual(declined)
  })

  it('works for an authorization and a capture, by id, transaction id and alt_key', async () => {
    for (const idOrKey of [capture.id, capture.transaction]) {
      const { payment: read } = await get(`/payments/${idOrKey}?expand=transaction,payment_method`)
      expect(read.transaction).toMatchObject({ type: 'CAPTURE', payment: capture.id })
      expect(read.payment_method.id).toBe(method)
    }
    const read = (await get(`/captures/${capture.id}?expand=transaction`)).capture
    expect(read.transaction.id).toBe(capture.transaction)
  })

  it('replaces the payment and transaction of a refund', async () => {
    const { refund: read } = await get(
      `/refunds/${refund.id}?expand=payment.transaction,source_transaction,account`,
    )
    expect(read.payment).toMatchObject({ id: payment.id, refunded_amount: '1.00' })
    expect(read.payment.transaction.id).toBe(payment.transaction)
    expect(read.source_transaction.id).toBe(payment.transaction)
    expect(read.account.id).toBe(account)
  })

  it('replaces the authorization of a void', async () => {
    const { void: read } = await get(`/voids/${released.id}?expand=payment`)
    expect(read.payment).toEqual(await client.read(auth.id))
  })

  it.each([
    [`/payments/${payment.id}`, 'refunds'],
    [`/payments/${payment.id}`, 'constructor'],
    ['/payments/nobody', 'parts.nothing'],
    ['/payments', 'reference'],
    [`/refunds/${refund.id}`, 'parts'],
    [`/voids/${released.id}`, 'refund'],
    [`/captures/${capture.id}`, 'authorisation'],
  ])('%s refuses %s', async (path, expand) => {
    const response = await api(`${path}?expand=${expand}`)
    expect(errorSummary(response)).toEqual(refusal('INVALID_REQUEST', `Cannot expand ${expand}`))
  })
})

describe('reading one', () => {
  it.each([
    [
      'captures',
      'Payment not found',
      [payment.id, auth.id, 'ca_1_a', 'nobody', '%00', 'ca_1_a%00'],
    ],
    ['refunds', 'Refund not found', [payment.id, released.id, 'ref_1_a', 'nobody', '%00']],
    ['reversals', 'Reversal not found', [payment.id, refund.id, 'rv_1_a', 'nobody', '%00']],
    ['voids', 'Void not found', [payment.id, refund.id, 'vo_1_a', 'nobody', '%00']],
  ])('in /%s returns 404 for records of other kinds', async (area, message, names) => {
    for (const name of names) {
      expect(errorSummary(await api(`/${area}/${name}`))).toEqual([404, 'NOT_FOUND', message])
    }
  })
})

describe('listing', () => {
  it('payments returns payments and authorizations, and captures returns captures', async () => {
    const all = await idsOf('payments')
    expect(all).toEqual(expect.arrayContaining([payment.id, auth.id, declined.id]))
    expect(all).not.toContain(capture.id)
    expect(await idsOf('captures')).toEqual([capture.id])
    expect(await idsOf('refunds')).toEqual([refund.id])
    expect(await idsOf('voids')).toEqual([released.id])
  })

  it.each([
    ['payments', 'type=AUTH', [auth.id]],
    ['payments', 'status=DECLINE', [declined.id]],
    ['payments', 'status=decline', [declined.id]],
    ['payments', 'alt_key=STRASSE 1', []],
    ['payments', 'alt_key=straße 1', [payment.id]],
    ['payments', 'alt_key~=SSE', []],
    ['payments', 'alt_key~=raß', [payment.id]],
    ['payments', `contract=${payment.contract}`, [payment.id]],
    ['payments', `charge=${payment.charge}`, [payment.id]],
    ['payments', 'channel=phone', [declined.id]],
    ['captures', `authorisation=${auth.id}`, [capture.id]],
    ['captures', `authorisation=${payment.id}`, []],
    ['refunds', `payment=${payment.id}`, [refund.id]],
    ['refunds', 'reason~=broke', [refund.id]],
    ['refunds', 'offline=Y', []],
    ['refunds', 'manual!=Y', [refund.id]],
    ['voids', `payment=${auth.id}`, [released.id]],
  ])('%s by %s', async (area, criteria, expected) => {
    expect(await idsOf(area, `?criteria=${encodeURIComponent(criteria)}`)).toEqual(expected)
  })

  it('expands every record', async () => {
    const { payments } = await get('/payments?expand=transaction,parts')
    for (const { id, transaction } of payments) expect(transaction.payment).toBe(id)
  })
})
