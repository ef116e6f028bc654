import { describe, expect, it } from 'vitest'
import type { ProcessorResponse } from '../processors/port.ts'
import { CARDS } from '../../test/cards.ts'
import { DOWN, startPaymentsApp } from '../../test/payments-app.ts'
import {
  stubProcessor,
  sandboxRecord,
  type Json,
  createGate,
  errorSummary,
  chargedDuring,
  eventsDuring,
} from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/** Outcomes of a payment, and its status while the outcome is unknown. */

const { app, deps, client, later, bend } = await startPaymentsApp()

async function transactionOf(payment: Json): Promise<Json> {
  return (await client.read(payment.id, '?expand=transaction')).transaction
}

describe('a card that is declined', () => {
  it.each([
    [CARDS.decline, 'The bank declined the payment.'],
    [CARDS.insufficient, 'The account does not hold enough money.'],
    [CARDS.expired, 'The card has expired.'],
    [CARDS.wrongCode, 'The security code is wrong.'],
    // No payer is present who could confirm.
    [CARDS.challenge, 'The bank requires the payer to confirm, and the payer is not present.'],
    [
      CARDS.challengeThenInsufficient,
      'The bank requires the payer to confirm, and the payer is not present.',
    ],
  ])('%s returns 200 with DECLINE and the reason', async (card, gateway_message) => {
    for (const action of ['PAYMENT', 'AUTH']) {
      expect(
        await chargedDuring(app, async () => {
          const payment = await client.pay(card, { action })
          expect(payment).toMatchObject({
            status: 'DECLINE',
            gateway_status: 'DECLINED',
            gateway_message,
            processed: payment.created,
            v: 2,
          })
          expect(await transactionOf(payment)).toMatchObject({
            type: action,
            status: 'DECLINE',
            gateway_message,
            payment: payment.id,
            v: 2,
          })
          const nothing = action === 'AUTH' ? payment.open_amount : payment.refundable_amount
          expect(nothing).toBe('0.00')
        }),
      ).toEqual([])
    }
  })

  it('stays declined in later requests', async () => {
    const payment = await client.pay(CARDS.decline)
    await later(3_600_000)
    expect(await client.read(payment.id)).toEqual(payment)
  })
})

describe('a processor that fails before it reaches the bank', () => {
  it('results in DECLINE with DECLINED_ERROR', async () => {
    bend('pay', DOWN)
    expect(await client.pay()).toMatchObject({
      status: 'DECLINE',
      gateway_status: 'DECLINED_ERROR',
      gateway_message: 'Down',
    })
  })
})

describe('a payment without a response', () => {
  it('of type AUTH reserves once and can be captured once the outcome is known', async () => {
    const auth = await client.authorise(CARDS.noAnswerTaken)
    expect(auth).toMatchObject({ status: 'UNRESOLVED', open_amount: '0.00' })
    await later(5_000)
    const cached = await client.read(auth.id)
    expect(cached).toMatchObject({ status: 'SUCCESS', open_amount: '100.00' })
    expect(await sandboxRecord(app, cached.gateway_reference)).toMatchObject({ reserved: 10_000 })
  })

  it('is queried before an operation on it', async () => {
    const auth = await client.authorise(CARDS.noAnswerTaken)
    expect((await client.capture(auth.id)).json.capture).toMatchObject({ status: 'SUCCESS' })
    const payment = await client.pay(CARDS.noAnswerTaken)
    expect((await client.refund(payment.id)).json.refund).toMatchObject({ status: 'SUCCESS' })
    const lost = await client.authorise(CARDS.noAnswerNotTaken)
    expect(errorSummary(await client.release(lost.id))[1]).toBe('INVALID_STATE')
    expect((await client.read(lost.id)).status).toBe('DECLINE')
  })

  it('stays UNRESOLVED without repeated events while the processor cannot be queried', async () => {
    const money = await chargedDuring(app, async () => {
      const payment = await client.pay(CARDS.noAnswerTaken)
      const mends = [bend('query', 'REQUEST LOST'), bend('cancel', 'REQUEST LOST')]
      const events = await eventsDuring(app, async () => {
        for (const ms of [5_000, 30_000, 120_000, 600_000, 3_600_000]) await later(ms)
      })
      expect(events).toEqual([])
      expect(await client.read(payment.id)).toEqual(payment)
      for (const mend of mends) mend()
      await later(3_600_000)
      expect((await client.read(payment.id)).status).toBe('SUCCESS')
    })
    expect(money).toEqual([1000])
  })

  it('that never reached the processor cannot be charged after it is declined', async () => {
    const gate = createGate()
    let late: Promise<ProcessorResponse> | undefined
    bend('pay', async (ask) => {
      late = gate.passed.then(ask)
      throw new Error('connection reset')
    })
    const money = await chargedDuring(app, async () => {
      const payment = await client.pay()
      await later(5_000)
      expect((await client.read(payment.id)).status).toBe('DECLINE')
      gate.open()
      expect(await late).not.toMatchObject({ status: 'APPROVED' })
    })
    expect(money).toEqual([])
  })

  it('returns no error to the merchant for any error of the processor', async () => {
    bend('pay', () => {
      throw new TypeError('a defect of the adapter')
    })
    expect((await client.pay()).status).toBe('UNRESOLVED')
    await later(5_000)
  })
})

describe('a payment whose outcome comes later', () => {
  it.each([
    [CARDS.noAnswerTaken, 'UNRESOLVED', 5_000, 'SUCCESS', [1000]],
    [CARDS.noAnswerNotTaken, 'UNRESOLVED', 5_000, 'DECLINE', []],
    [CARDS.pendingSuccess, 'PENDING', 2_000, 'SUCCESS', [1000]],
    [CARDS.pendingFailure, 'PENDING', 2_000, 'DECLINE', []],
  ] as const)('%s is %s, and %i ms later %s', async (card, first, wait, status, money) => {
    let payment: Json
    const charged = await chargedDuring(app, async () => {
      expect(
        await eventsDuring(app, async () => {
          payment = await client.pay(card)
        }),
      ).toEqual([`payment.${first.toLowerCase()} 2`])
      expect(payment).toMatchObject({
        status: first,
        gateway_status: first,
        processed: null,
        refundable_amount: '0.00',
        v: 2,
      })
      await later(wait - 1)
      expect(await client.read(payment.id)).toEqual(payment)
      const events = await eventsDuring(app, () => later(1))
      expect(events).toEqual([`payment.${status.toLowerCase()} 3`])
      expect(await client.read(payment.id)).toMatchObject({ status, v: 3 })
      expect(await transactionOf(payment)).toMatchObject({ status, v: 3 })
      expect(await eventsDuring(app, () => later(86_400_000))).toEqual([])
    })
    expect(charged).toEqual(money)
  })

  it('is not refunded while it is PENDING', async () => {
    const { id } = await client.pay(CARDS.pendingSuccess)
    expect(errorSummary(await client.refund(id)).slice(0, 2)).toEqual([400, 'INVALID_STATE'])
    await later(2_000)
  })

  it('stays PENDING while the processor cannot be queried', async () => {
    const payment = await client.pay(CARDS.pendingSuccess)
    const mend = bend('query', 'REQUEST LOST')
    const events = await eventsDuring(app, async () => {
      await later(2_000)
      await client.refund(payment.id)
    })
    expect(events).toEqual([])
    expect(await client.read(payment.id)).toEqual(payment)
    mend()
    await later(3_600_000)
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
  })

  it('stores its method when it succeeds', async () => {
    const { account } = await client.storeCard()
    const saved = { token: await cardToken(app, CARDS.pendingSuccess), save: true }
    const pending = await client.pay(undefined, { account, payment_method: saved })
    expect(pending.payment_method).toBeNull()
    await later(2_000)
    const paid = await client.read(pending.id, '?expand=transaction,payment_method')
    expect(paid.payment_method).toMatchObject({ account, reusable: true })
    expect(paid.transaction.payment_method).toBe(paid.payment_method.id)
  })

  it('is canceled when it requires a payer’s action', async () => {
    stubProcessor(app, (real) => ({
      pay: (order) => real.pay({ ...order, return_url: 'https://bank.example' }),
    }))
    const payment = await client.pay(CARDS.challenge)
    expect(payment.status).toBe('PENDING')
    await later(16 * 60_000)
    expect((await client.read(payment.id)).status).toBe('DECLINE')
  })
})

describe('two servers that reconcile open payments', () => {
  it('settle each payment once', async () => {
    const payments = await Promise.all([1, 2, 3].map(() => client.pay(CARDS.noAnswerTaken)))
    app.pass(5_000)
    const events = await eventsDuring(app, () =>
      Promise.all([reconcileDue(deps), reconcileDue(deps)]),
    )
    expect(events).toEqual(payments.map(() => 'payment.success 3'))
  })
})
