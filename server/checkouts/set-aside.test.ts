import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  completeChallenge,
  openNewLink,
  openPayerClient,
  type PayerClient,
  readLink,
  returnFromBank,
  sandboxCharges,
} from '../../test/payer-client.ts'
import {
  DAY_MS,
  type Json,
  reconcileAfter,
  recordedEvents,
  sandboxRecord,
  stubCapabilities,
  stubProcessor,
} from '../../test/payments-client.ts'
import { unendable } from '../../test/unendable-processor.ts'
import type { Processor } from '../processors/port.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { settleAttempt } from '../payments/settle.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { builtIn } = app.checkstand.deps.processors
builtIn.set('sandbox', unendable(builtIn.get('sandbox') as Processor))

const minutes = (n: number) => n * 60_000

/** A payer at the page of a bank whose payments cannot be ended. */
async function leaveForBank(options?: Record<string, unknown>) {
  const merchant = await app.newMerchant()
  const shop = { ...app, merchant }
  const { link, payer } = await openNewLink(shop, options)
  const { json } = await payer.payByCard(CARDS.challenge)
  expect(json.outcome).toBe('ACTION')
  // So that lists have the payments in order.
  app.pass(1)
  return { merchant, link: link.id as string, payer, bank: json.action.url as string }
}

async function paidWith(payer: PayerClient, card: string = CARDS.approve): Promise<string> {
  return (await payer.payByCard(card)).json.outcome
}

async function paymentsOf({ api }: Merchant): Promise<Json[]> {
  return (await api('/payments?order=created')).json.payments
}

async function refundsOf({ api }: Merchant): Promise<Json[]> {
  return (await api('/refunds?order=created')).json.refunds
}

const typesOf = async (merchant: Merchant) =>
  (await recordedEvents(app, merchant)).map(({ type }) => type)

describe('a payer who leaves a bank payment that cannot be ended', () => {
  it('pays by another card at once', async () => {
    const { merchant, link, payer } = await leaveForBank()
    expect(await paidWith(payer)).toBe('COMPLETED')
    expect((await readLink(merchant, link)).status).toBe('PAYMENT_SUCCESS')
    const [left, paid] = await paymentsOf(merchant)
    expect([left.status, left.surplus, paid.status, paid.surplus]).toEqual([
      'PENDING',
      false,
      'SUCCESS',
      false,
    ])
  })

  it('can try several cards, and then pays', async () => {
    const { payer } = await leaveForBank()
    expect(await paidWith(payer, CARDS.decline)).toBe('DECLINED')
    expect((await payer.current()).json.checkout).toMatchObject({
      status: 'OPEN',
      result: { outcome: 'DECLINED' },
    })
    expect(await paidWith(payer)).toBe('COMPLETED')
  })

  it('keeps the bank’s page as what they see when the new payment is refused', async () => {
    const { payer } = await leaveForBank()
    expect((await payer.payByCard(CARDS.approve, { options_v: 9 })).json.outcome).toBe(
      'TERMS_CHANGED',
    )
    expect((await payer.current()).json.checkout.result.outcome).toBe('ACTION')
  })

  it('waits while the processor does not respond', async () => {
    const { payer } = await leaveForBank()
    stubProcessor(app, () => ({ cancel: () => Promise.reject(new Error('down')) }))
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('BUSY')
    expect((await payer.current()).json.checkout.result.outcome).toBe('ACTION')
  })

  it('leaves the link to everybody after fifteen minutes', async () => {
    const { merchant, link, bank } = await leaveForBank()
    const other = await openPayerClient(app, link)
    expect(await paidWith(other)).toBe('BUSY')
    for (let minute = 0; minute < 17; minute += 1) await reconcileAfter(app, minutes(1))
    expect(await paidWith(other)).toBe('COMPLETED')
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, minutes(2))
    expect((await paymentsOf(merchant)).map(({ surplus }) => surplus)).toEqual([true, false])
  })

  it('leaves the link after the time that the processor gives them, when it does', async () => {
    const expires = new Date(app.now() + minutes(40)).toISOString()
    const real = builtIn.get('sandbox') as Processor
    const methods = real.capabilities.methods.map((method) => ({
      ...method,
      cancel: 'SOMETIMES' as const,
    }))
    stubCapabilities(app, { methods })
    const pay: Processor['pay'] = async (order) => {
      const response = await real.pay(order)
      return response.status === 'ACTION' ? { ...response, expires } : response
    }
    stubProcessor(app, () => ({ pay }))
    const { link } = await leaveForBank()
    const other = await openPayerClient(app, link)
    for (let minute = 0; minute < 39; minute += 1) await reconcileAfter(app, minutes(1))
    expect(await paidWith(other)).toBe('BUSY')
    for (let minute = 0; minute < 3; minute += 1) await reconcileAfter(app, minutes(1))
    expect(await paidWith(other)).toBe('COMPLETED')
  })
})

describe('an approval of a bank payment that was left', () => {
  it('pays a link that is still unpaid', async () => {
    const { merchant, link, payer, bank } = await leaveForBank()
    expect(await paidWith(payer, CARDS.decline)).toBe('DECLINED')
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, minutes(2))
    const [first] = await paymentsOf(merchant)
    expect(first).toMatchObject({ status: 'SUCCESS', surplus: false, refunded_amount: '0.00' })
    expect(await readLink(merchant, link)).toMatchObject({
      status: 'PAYMENT_SUCCESS',
      payment: first.id,
    })
    expect((await payer.current()).json.checkout.status).toBe('COMPLETED')
    const types = await typesOf(merchant)
    expect(types.filter((type) => type === 'payment_link.payment_success')).toHaveLength(1)
    expect(types).not.toContain('payment.surplus')
  })

  it('is refunded in full, once, when the link is paid', async () => {
    const { merchant, link, payer, bank } = await leaveForBank()
    expect(await paidWith(payer)).toBe('COMPLETED')
    const { payment } = await readLink(merchant, link)
    const returned = await returnFromBank(app, bank)
    expect(returned.status).toBe(303)
    for (let n = 0; n < 3; n += 1) await reconcileAfter(app, minutes(2))
    const [left] = await paymentsOf(merchant)
    expect(left).toMatchObject({
      status: 'SUCCESS',
      surplus: true,
      refunded_amount: '12.50',
      refundable_amount: '0.00',
    })
    expect(await refundsOf(merchant)).toMatchObject([{ payment: left.id, status: 'SUCCESS' }])
    expect(await sandboxRecord(app, left.gateway_reference)).toMatchObject({ refunds: 1250 })
    expect((await readLink(merchant, link)).payment).toBe(payment)
    const events = await typesOf(merchant)
    expect(events.filter((type) => type === 'payment.surplus')).toHaveLength(1)
    expect(events.filter((type) => type === 'payment_link.payment_success')).toHaveLength(1)
    expect(events.filter((type) => type === 'checkout.completed')).toHaveLength(1)
  })

  it('is refunded while another payer is paying the link', async () => {
    const { merchant, payer, bank } = await leaveForBank()
    expect((await payer.payByCard(CARDS.challenge)).json.outcome).toBe('ACTION')
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, minutes(2))
    await reconcileAfter(app, 1)
    expect((await paymentsOf(merchant))[0]).toMatchObject({
      surplus: true,
      refunded_amount: '12.50',
    })
  })

  it('does not pay a link whose amount has changed', async () => {
    const { merchant, link, payer, bank } = await leaveForBank()
    expect(await paidWith(payer, CARDS.decline)).toBe('DECLINED')
    const changed = await merchant.api(`/payment_links/${link}`, {
      method: 'PUT',
      body: { payment_link: { options: { amount: '9.00' } } },
    })
    expect(changed.status, changed.text).toBe(200)
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, minutes(2))
    await reconcileAfter(app, 1)
    expect((await readLink(merchant, link)).status).toBe('ACTIVE')
    expect((await paymentsOf(merchant))[0]).toMatchObject({
      surplus: true,
      refunded_amount: '12.50',
    })
  })

  it('refunds once, however many processes look after it', async () => {
    const { merchant, payer, bank } = await leaveForBank()
    await paidWith(payer)
    await completeChallenge(app, bank, 'approve')
    const charged = (await sandboxCharges(app)).length
    app.pass(minutes(2))
    const many = () =>
      Promise.all(Array.from({ length: 4 }, () => reconcileDue(app.checkstand.deps)))
    for (let n = 0; n < 4; n += 1) await many()
    expect(await refundsOf(merchant)).toHaveLength(1)
    expect((await paymentsOf(merchant))[0].refunded_amount).toBe('12.50')
    expect((await sandboxCharges(app)).length).toBe(charged)
  })

  it('refunds again after the processor has declined the refund', async () => {
    const { merchant, payer, bank } = await leaveForBank()
    await paidWith(payer)
    await completeChallenge(app, bank, 'approve')
    const real = builtIn.get('sandbox') as Processor
    let refused = 0
    stubProcessor(app, () => ({
      refund: async (order) => {
        refused += 1
        return refused > 1
          ? real.refund(order)
          : { status: 'DECLINED', reference: null, code: 'DECLINED', message: 'Balance too low' }
      },
    }))
    await reconcileAfter(app, minutes(2))
    await reconcileAfter(app, 1)
    expect((await refundsOf(merchant)).map(({ status }) => status)).toEqual(['DECLINED'])
    await reconcileAfter(app, DAY_MS)
    expect((await refundsOf(merchant)).map(({ status }) => status)).toEqual(['DECLINED', 'SUCCESS'])
  })

  it('is refunded after the process died before it asked for the refund', async () => {
    const { merchant, payer, bank } = await leaveForBank()
    await paidWith(payer)
    await completeChallenge(app, bank, 'approve')
    let asked = 0
    const real = builtIn.get('sandbox') as Processor
    stubProcessor(app, () => ({
      refund: async (order) => {
        asked += 1
        if (asked === 1) throw new Error('killed')
        return real.refund(order)
      },
    }))
    for (let n = 0; n < 8; n += 1) await reconcileAfter(app, minutes(10))
    const refunds = await refundsOf(merchant)
    expect(refunds.filter(({ status }) => status === 'SUCCESS')).toMatchObject([
      { amount: '12.50' },
    ])
    expect((await paymentsOf(merchant))[0].refundable_amount).toBe('0.00')
  })

  it('is not refunded again when the merchant has refunded it', async () => {
    const { merchant, payer, bank } = await leaveForBank()
    await paidWith(payer)
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, minutes(2))
    const [left] = await paymentsOf(merchant)
    const { status } = await merchant.api(`/payments/${left.id}/refund`, { body: { refund: {} } })
    expect([200, 400]).toContain(status)
    for (let n = 0; n < 3; n += 1) await reconcileAfter(app, minutes(2))
    expect(await refundsOf(merchant)).toHaveLength(1)
  })
})

describe('a decline of a bank payment that was left', () => {
  it('changes nothing of a paid link', async () => {
    const { merchant, link, payer, bank } = await leaveForBank()
    await paidWith(payer)
    const before = await readLink(merchant, link)
    await completeChallenge(app, bank, 'decline')
    await reconcileAfter(app, minutes(2))
    expect(await readLink(merchant, link)).toEqual(before)
    expect((await paymentsOf(merchant))[0]).toMatchObject({ status: 'DECLINE', surplus: false })
    expect((await payer.current()).json.checkout.status).toBe('COMPLETED')
  })

  it('does not free the claim of the payment that came after it', async () => {
    const { link, payer, bank } = await leaveForBank()
    expect((await payer.payByCard(CARDS.challenge)).json.outcome).toBe('ACTION')
    await completeChallenge(app, bank, 'decline')
    await reconcileAfter(app, minutes(2))
    expect(await paidWith(await openPayerClient(app, link))).toBe('BUSY')
  })
})

describe('an approval after a final decline', () => {
  /** A payment whose processor declines it and then says that it has taken the money. */
  async function approvedLate(merchant: Merchant): Promise<Json> {
    const { payer } = await openNewLink({ ...app, merchant })
    const { json } = await payer.payByCard(CARDS.challenge)
    const { db } = app.checkstand.deps
    const { id } = await db
      .selectFrom('attempts')
      .select('id')
      .where('instance_id', '=', merchant.instance.id)
      .executeTakeFirstOrThrow()
    const declined = {
      status: 'DECLINED',
      reference: null,
      code: 'CANCELLED',
      message: '',
    } as const
    await settleAttempt(app.checkstand.deps, id, declined)
    await completeChallenge(app, json.action.url, 'approve')
    const response = await (builtIn.get('sandbox') as Processor).query(id)
    if (response.status !== 'APPROVED') throw new Error('the sandbox has not taken it')
    for (let n = 0; n < 2; n += 1) await settleAttempt(app.checkstand.deps, id, response)
    for (let n = 0; n < 3; n += 1) await reconcileAfter(app, minutes(2))
    return (await paymentsOf(merchant))[0]
  }

  it('is refunded once where the connection says so, and stays declined', async () => {
    stubProcessor(app, () => ({ refund_late: true }))
    const merchant = await app.newMerchant()
    const payment = await approvedLate(merchant)
    expect(payment).toMatchObject({ status: 'DECLINE', surplus: true, refunded_amount: '12.50' })
    expect(await refundsOf(merchant)).toMatchObject([{ status: 'SUCCESS', amount: '12.50' }])
    expect(app.logged()).toContain('approved by its processor after it had been declined')
  })

  it('is left to the operator otherwise', async () => {
    const merchant = await app.newMerchant()
    const payment = await approvedLate(merchant)
    expect(payment).toMatchObject({ status: 'DECLINE', surplus: false, refunded_amount: '0.00' })
    expect(await refundsOf(merchant)).toEqual([])
  })
})
