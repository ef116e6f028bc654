import fc from 'fast-check'
import { expect, it } from 'vitest'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { syncReversals } from '../payments/sync-reversals.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { recordExpiries } from '../payment-links/expire.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS, cardNumberFor } from '../../test/cards.ts'
import { repetitions } from '../../test/depth.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { cardToken, openNewLink, payNewLink, returnFromBank } from '../../test/payer-client.ts'
import { moveClock } from '../../test/test-clock-driver.ts'
import { runTestClocks } from './test-clocks.ts'

/** Time in one instance: every record is written at the time that the instance has. */

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand
const JOBS = [reconcileDue, syncReversals, createDueCharges, collectDue, recordExpiries]
const RUNS = Number(process.env['RUNS'] ?? repetitions(3, 6))

const DISPUTED = cardNumberFor('DISPUTE_WON')

const TABLES = [
  'accounts',
  'actor_sessions',
  'attempts',
  'charges',
  'checkouts',
  'contracts',
  'events',
  'payment_links',
  'payment_methods',
  'payments',
  'reversals',
  'transactions',
] as const

interface Stored {
  id: string
  created: string
  updated?: string
}

/** Every record of an instance, by its table and id. */
async function recordsOf({ instance }: Merchant): Promise<Map<string, Stored>> {
  const found = new Map<string, Stored>()
  for (const table of TABLES) {
    const rows = await deps.db
      .selectFrom(table)
      .selectAll()
      .where('instance_id', '=', instance.id)
      .execute()
    for (const row of rows) found.set(`${table} ${row.id}`, row)
  }
  return found
}

const timeOf = async ({ api }: Merchant): Promise<string> =>
  (await api('/sandbox/clock')).json.clock.now

const spans = fc.constantFrom('PT1S', 'PT16M', 'P1D', 'P8D', 'P1M')

/** Cards of the sandbox whose refunds and captures are decided a day or three days later. */
const REFUND_DAYS_LATER = cardNumberFor('REFUND_FAILURE_DAYS_LATER')
const REFUND_REVIEWED = cardNumberFor('REFUND_REVIEW_THEN_SUCCESS')
const CAPTURE_DAYS_LATER = cardNumberFor('CAPTURE_FAILURE_DAYS_LATER')
const CAPTURE_REVIEWED = cardNumberFor('CAPTURE_REVIEW_THEN_SUCCESS')

/** The operations, with their parameters. */
const acts = fc.oneof(
  fc.record({ act: fc.constant('link' as const), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    act: fc.constant('pay' as const),
    card: fc.constantFrom(
      CARDS.approve,
      DISPUTED,
      CARDS.pendingSuccess,
      CARDS.decline,
      CARDS.noAnswerTaken,
    ),
  }),
  fc.record({ act: fc.constant('bank' as const), left: fc.boolean() }),
  fc.record({ act: fc.constant('subscribe' as const) }),
  fc.record({ act: fc.constant('schedule' as const), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    act: fc.constant('refund' as const),
    card: fc.constantFrom(REFUND_DAYS_LATER, REFUND_REVIEWED, CARDS.refundPendingFailure),
  }),
  fc.record({
    act: fc.constant('capture' as const),
    card: fc.constantFrom(CAPTURE_DAYS_LATER, CAPTURE_REVIEWED, CARDS.capturePendingFailure),
    final: fc.boolean(),
  }),
  fc.record({ act: fc.constant('account' as const) }),
  fc.record({ act: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 100_000_000 }) }),
  fc.record({ act: fc.constant('move' as const), advance: spans }),
)

type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never

async function run(merchant: Merchant, doing: Act): Promise<void> {
  const shop = { ...app, merchant }
  const till = openPaymentsClient(app, merchant)
  switch (doing.act) {
    case 'link': {
      const expires = new Date(Date.parse(await timeOf(merchant)) + doing.days * 86_400_000)
      await openNewLink(shop, undefined, { expires: expires.toISOString() })
      return
    }
    case 'pay':
      await payNewLink(shop, doing.card)
      return
    case 'bank': {
      const { payer } = await openNewLink(shop)
      const payment_method = { type: 'BANK_TRANSFER', processor: 'sandbox' }
      const { json } = await payer.submit({ payment_method })
      if (!doing.left) await returnFromBank(app, json.action.url)
      return
    }
    case 'subscribe':
      await till.pay(undefined, {
        account: { crm_key: 'subscriber' },
        payment_method: { token: await cardToken(app, CARDS.approve), save: true },
        recurring: { frequency: 'WEEK', count: 4 },
      })
      return
    case 'schedule': {
      const { account, method: payment_method } = await till.storeCard()
      const due = new Date(Date.parse(await timeOf(merchant)) + doing.days * 86_400_000)
      const order = { amount: '10.00', currency: 'EUR', account, payment_method }
      const { json } = await till.send({ ...order, due: due.toISOString() })
      expect(json.payment.status).toBe('SCHEDULED')
      return
    }
    case 'refund': {
      const { id } = await till.pay(doing.card)
      expect((await till.refund(id, { amount: '4.00' })).status).toBe(200)
      return
    }
    case 'capture': {
      const { id } = await till.authorise(doing.card)
      const { status } = await till.capture(id, { amount: '40.00', final: doing.final })
      expect(status).toBe(200)
      return
    }
    case 'account':
      await merchant.api('/accounts', { body: { account: { crm_key: 'a' } } })
      return
    case 'move':
      await moveClock(app, { advance: doing.advance }, merchant)
      return
    case 'pass':
      app.pass(doing.ms)
      for (const job of JOBS) await job(deps)
      await closeExpiredSessions(deps)
      await runTestClocks(deps)
  }
}

it('events are recorded in the order of the test clock', async () => {
  const sequences = fc.array(acts, { minLength: 3, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const merchant = await app.newMerchant()
      for (const doing of sequence) {
        const before = { now: await timeOf(merchant), records: await recordsOf(merchant) }
        await run(merchant, doing)
        const after = { now: await timeOf(merchant), records: await recordsOf(merchant) }
        expect(after.now >= before.now).toBe(true)
        for (const [name, record] of after.records) {
          const earlier = before.records.get(name)
          if (earlier && contentOf(earlier) === contentOf(record)) continue
          const { created, updated = created } = record
          const context = `${name} after ${JSON.stringify(doing)}: ${created}, ${updated}`
          expect(created <= updated, context).toBe(true)
          expect(updated >= before.now, `${context} before ${before.now}`).toBe(true)
          expect(updated <= after.now, `${context} beyond ${after.now}`).toBe(true)
        }
      }
    }),
    { numRuns: RUNS },
  )
}, 120_000)

/** The content of a record, without the time of the next query of an attempt. */
function contentOf(record: Stored): string {
  return JSON.stringify({ ...record, next_check: null, checks: null })
}
