import type Stripe from 'stripe'
import { formatInstant } from '../../../shared/rules/time.ts'
import type { ChangesResponse, OperationFees, ProcessorReversal } from '../port.ts'
import { fromStripeAmount } from './amounts.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { bookedFees, STRIPE_TYPES } from './details.ts'
import { CHANGE_TYPES, IS_DISPUTE } from './notice-types.ts'
import { addRemoved, nothingRemoved, readRemoved, type RemovedMethods } from './removed-methods.ts'

/** A notice brings the next read forward, so this is the delay of what no notice tells. */
const CHECK_MS = 3_600_000
/** For so long, Stripe keeps events. */
const EVENTS_MS = 30 * 86_400_000
const PAGE = 100

/**
 * Returns disputes, returned debits, refunds from elsewhere, refunds that failed after they had succeeded,
 * fees, and removed methods that changed since a time, in their present state. What is not ours on this account is left
 * out.
 */
export async function readChanges(
  context: StripeContext,
  since: string | null,
): Promise<ChangesResponse> {
  const now = context.now()
  const first = await context.journal.findFirst()
  const nothing = { reversals: [], check_after_ms: CHECK_MS }
  if (first === undefined) return nothing
  const from = Math.max(Date.parse(since ?? first), Date.parse(first), now - EVENTS_MS)
  const created = Math.floor(from / 1000)
  const seen = await listChanged(context, created)
  const reversals = [
    ...(await each(seen.disputes, (id) => readDispute(context, id))),
    ...(await each(seen.refunds, (id) => readRefund(context, id))),
  ]
  return {
    reversals,
    fees: await readFees(context, created),
    removed: await readRemoved(context, seen.methods),
    check_after_ms: CHECK_MS,
    read_until: formatInstant(now),
  }
}

/** Stripe answers several requests at a time, and limits those of an account. */
async function each<T>(
  ids: ReadonlySet<string>,
  read: (id: string) => Promise<T | undefined>,
): Promise<T[]> {
  const found: T[] = []
  for (const id of ids) {
    const one = await read(id)
    if (one !== undefined) found.push(one)
  }
  return found
}

interface Changed {
  disputes: Set<string>
  refunds: Set<string>
  methods: RemovedMethods
}

/** Returns the ids of what events tell of, each once. Their content may be older than the present state. */
async function listChanged(context: StripeContext, created: number): Promise<Changed> {
  const changed: Changed = {
    disputes: new Set(),
    refunds: new Set(),
    methods: nothingRemoved(),
  }
  const intents = new Set<string>()
  const events = await context.client.call('list events', (stripe, options) =>
    collect(
      stripe.events.list(
        { types: [...CHANGE_TYPES], created: { gte: created }, limit: PAGE },
        options,
      ),
    ),
  )
  for (const event of events) {
    const { type, data } = event
    addRemoved(changed.methods, event)
    const object = data.object as { id?: string; payment_intent?: unknown }
    const intent = idOf(object.payment_intent)
    if (object.id === undefined || intent === undefined) continue
    if ((await context.journal.findByReference(intent)) === undefined) continue
    if (IS_DISPUTE.has(type)) changed.disputes.add(object.id)
    else if (type === 'charge.refunded') intents.add(intent)
    else if (await isTelling(context, data.object as Stripe.Refund)) changed.refunds.add(object.id)
  }
  for (const intent of intents) {
    for (const refund of await listRefunds(context, intent)) {
      if (await isTelling(context, refund)) changed.refunds.add(refund.id)
    }
  }
  return changed
}

/** A refund of ours that did not fail is told by its own query. */
async function isTelling(context: StripeContext, refund: Stripe.Refund): Promise<boolean> {
  if (refund.status === 'failed' || refund.status === 'canceled') return true
  return (await ownOperation(context, refund)) === undefined
}

function listRefunds({ client }: StripeContext, intent: string): Promise<Stripe.Refund[]> {
  return client.call('list refunds', (stripe, options) =>
    collect(stripe.refunds.list({ payment_intent: intent, limit: PAGE }, options)),
  )
}

async function readDispute(
  context: StripeContext,
  id: string,
): Promise<ProcessorReversal | undefined> {
  const dispute = await context.client.call('read dispute', (stripe, options) =>
    stripe.disputes.retrieve(id, { expand: ['charge'] }, options),
  )
  const { charge, currency, evidence_details: evidence } = dispute
  const operation = await paidOperation(context, idOf(dispute.payment_intent))
  const state = DISPUTE_STATES[dispute.status]
  if (dispute.livemode !== !context.test || operation === undefined || state === undefined) {
    context.log.error({ status: dispute.status }, `the dispute ${id} at Stripe was skipped`)
    return undefined
  }
  const isDebit =
    typeof charge === 'object' && charge.payment_method_details?.type === STRIPE_TYPES.DIRECT_DEBIT
  const due = DUE.has(dispute.status) ? evidence.due_by : null
  return {
    reference: dispute.id,
    operation,
    type: disputeType(dispute, isDebit && state === 'LOST'),
    status: state,
    amount: fromStripeAmount(dispute.amount, currency.toUpperCase()),
    currency: currency.toUpperCase(),
    reason: dispute.reason,
    due: due === null ? null : formatInstant(due * 1000),
    changed: formatInstant(dispute.created * 1000),
  }
}

/** Before a dispute the bank may only ask, which withdraws nothing. */
function disputeType({ status }: Stripe.Dispute, isReturn: boolean): ProcessorReversal['type'] {
  if (isReturn) return 'RETURN'
  return status.startsWith('warning_') ? 'INQUIRY' : 'DISPUTE'
}

const DISPUTE_STATES: Partial<Record<string, ProcessorReversal['status']>> = {
  needs_response: 'OPEN',
  under_review: 'OPEN',
  warning_needs_response: 'OPEN',
  warning_under_review: 'OPEN',
  won: 'WON',
  warning_closed: 'WON',
  prevented: 'WON',
  lost: 'LOST',
}

/** Stripe takes evidence in these states. */
const DUE: ReadonlySet<string> = new Set(['needs_response', 'warning_needs_response'])

async function readRefund(
  context: StripeContext,
  id: string,
): Promise<ProcessorReversal | undefined> {
  const refund = await context.client.call('read refund', (stripe, options) =>
    stripe.refunds.retrieve(id, {}, options),
  )
  const currency = refund.currency.toUpperCase()
  const common = {
    reference: refund.id,
    amount: fromStripeAmount(refund.amount, currency),
    currency,
    due: null,
    changed: formatInstant(refund.created * 1000),
  }
  const isFailed = refund.status === 'failed' || refund.status === 'canceled'
  const own = await ownOperation(context, refund)
  if (own !== undefined) {
    if (!isFailed) return undefined
    const reason = refund.failure_reason ?? null
    return { ...common, operation: own, type: 'REFUND_FAILED', status: 'WON', reason }
  }
  const operation = await paidOperation(context, idOf(refund.payment_intent))
  if (operation === undefined) return undefined
  const status = isFailed ? 'WON' : refund.status === 'succeeded' ? 'LOST' : 'OPEN'
  return { ...common, operation, type: 'EXTERNAL_REFUND', status, reason: refund.reason }
}

/** Returns the key of a refund that this server has asked for. */
async function ownOperation(
  { journal }: StripeContext,
  { metadata }: Stripe.Refund,
): Promise<string | undefined> {
  const operation = metadata?.['operation']
  if (operation === undefined) return undefined
  const entry = await journal.find(operation)
  return entry !== undefined && entry !== 'CANCELLED' && entry.kind === 'REFUND'
    ? operation
    : undefined
}

/** Returns the key of the payment, or of the capture of an authorization, that took the money. */
async function paidOperation(
  { journal, client }: StripeContext,
  intent: string | undefined,
): Promise<string | undefined> {
  const operation = intent && (await journal.findByReference(intent))
  if (!operation) return undefined
  const entry = await journal.find(operation)
  if (entry === undefined || entry === 'CANCELLED' || entry.kind === 'PAY') return operation
  const { metadata } = await client.call('read payment intent', (stripe, options) =>
    stripe.paymentIntents.retrieve(intent, {}, options),
  )
  return metadata['capture']
}

/** What Stripe has booked, by the list of bookings: one request tells of a hundred charges. */
async function readFees(context: StripeContext, created: number): Promise<OperationFees[]> {
  let booked: Stripe.BalanceTransaction[]
  try {
    booked = await context.client.call('list balance transactions', (stripe, options) =>
      collect(
        stripe.balanceTransactions.list(
          { created: { gte: created }, limit: PAGE, expand: ['data.source'] },
          options,
        ),
      ),
    )
  } catch (error) {
    // A restricted key may not read the balance; disputes are told without it.
    if (error instanceof Refused) return []
    throw error
  }
  const fees: OperationFees[] = []
  for (const transaction of booked) {
    const { type, source } = transaction
    if ((type !== 'charge' && type !== 'payment') || source === null) continue
    if (typeof source === 'string' || source.object !== 'charge') continue
    const operation = await paidOperation(context, idOf(source.payment_intent))
    if (operation === undefined) continue
    fees.push({ operation, ...bookedFees(transaction) })
  }
  return fees
}

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of pages) all.push(one)
  return all
}

function idOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference
  const id = (reference as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}
