/**
 * What a merchant's money should look like, kept in plain objects and by rules that were written
 * down once more, from the contract and not from the product's code. Amounts are minor units, times
 * are epoch milliseconds. A record has no id until the model has seen it.
 */

export interface Model {
  now: number
  /** The one account of the run, whose methods and charges these are. */
  account: string
  methods: Method[]
  payments: Payment[]
  refunds: Refund[]
  voids: Void[]
  charges: Charge[]
  contracts: Contract[]
  deepLinks: DeepLink[]
  /** Free trials that payers began by link, or tried to. */
  trials: Trial[]
}

/** How the sandbox takes a card, or what it does when it has taken it. */
export type Card =
  | 'approve'
  | 'decline'
  | 'taken'
  | 'lost'
  | 'succeeds'
  | 'fails'
  | 'refund succeeds'
  | 'refund fails'
  | 'capture succeeds'
  | 'capture fails'

/** What the network does to one operation on its way to the processor. */
export type Fault = 'none' | 'lost' | 'silent' | 'declined'

export type Outcome = 'SUCCESS' | 'DECLINE'

/** An outcome that the processor has, or will have, and that we have yet to learn. */
export interface Pending {
  ending: Outcome
  /** When the processor settles it. */
  knownAt: number
  /** When the reconciler queries it. */
  checkAt: number
}

export interface Method {
  id: string
  card: Card
}

export interface Payment {
  id: string | null
  type: 'PAYMENT' | 'AUTH' | 'CAPTURE'
  status: 'SUCCESS' | 'DECLINE' | 'PENDING' | 'UNRESOLVED' | 'SCHEDULED' | 'CANCELLED' | 'VOIDED'
  amount: number
  altKey: string | null
  created: number
  due: number | null
  /** Of a capture. */
  authorisation: Payment | null
  /** Of a capture: whatever it leaves is to be let go. */
  final: boolean
  captured: number
  released: number
  refunded: number
  /** Of an authorisation: when it runs out. */
  until: number | null
  parts: { charge: Charge; amount: number; refunded: number }[]
  /** The charge that it was made for, and not one that a request named. */
  charge: Charge | null
  method: string | null
  /** What pays, and decides how its captures and refunds go. */
  card: Card
  /** The card to be kept when it succeeds. */
  saves: Card | null
  /** The deep link of which it is a use. */
  deepLink: DeepLink | null
  waiting: Pending | null
}

export interface Refund {
  id: string
  payment: Payment
  amount: number
  status: 'SUCCESS' | 'DECLINED' | 'UNRESOLVED' | 'PENDING'
  offline: boolean
  parts: { charge: Charge; amount: number }[]
  waiting: Pending | null
}

export interface Void {
  id: string | null
  authorisation: Payment
  amount: number
  status: 'SUCCESS' | 'DECLINED' | 'UNRESOLVED'
  waiting: Pending | null
}

export interface Charge {
  id: string | null
  status: 'ACTIVE' | 'WRITTENOFF' | 'PAID' | 'CANCELLED'
  amount: number
  paid: number
  refunded: number
  due: number | null
  nextAttempt: number | null
  attempts: number
  altKey: string | null
  method: string
  /** The payment that was announced for it. */
  announced: Payment | null
  contract: Contract | null
  /** Which charge of its contract it is, from 1. */
  n: number
}

/** A link whose contract begins without a payment. */
export interface Trial {
  link: string
  status: Outcome | 'UNRESOLVED'
  amount: number
  /** What is saved, and pays later. */
  card: Card
  waiting: Pending | null
  contract: Contract | null
}

export interface Contract {
  id: string | null
  status: 'ACTIVE' | 'ENDED' | 'CANCELLED'
  started: boolean
  amount: number
  /** Null until the model has seen what a free trial has saved. */
  method: string | null
  unit: 'DAY' | 'WEEK' | 'MONTH'
  interval: number
  count: number
  anchor: number
  made: number
  nextDue: number | null
}

/** A deep link that payers share; one at a time is not archived. */
export interface DeepLink {
  id: string
  amount: number
  maxUses: number
  archived: boolean
}

export const DAY_MS = 86_400_000
/** How long an unanswered operation rests before the processor is asked, by the safety rules. */
const QUERY_AFTER_MS = 5_000
/** How long a pending method of the sandbox takes. */
const SETTLE_AFTER_MS = 2_000
const AUTHORISATION_LASTS = 7 * DAY_MS
/** Days until the next collection, after the first one that was declined and so on. */
const RETRIES = [1, 3, 5, 7]

export function newModel(now: number, account: string): Model {
  const empty = { methods: [], payments: [], refunds: [], voids: [], charges: [] }
  return { now, account, ...empty, contracts: [], deepLinks: [], trials: [] }
}

export function newPayment(
  model: Model,
  from: Pick<Payment, 'type' | 'amount'> & Partial<Payment>,
): Payment {
  const payment: Payment = {
    id: null,
    status: 'PENDING',
    altKey: null,
    created: model.now,
    due: null,
    authorisation: null,
    final: false,
    captured: 0,
    released: 0,
    refunded: 0,
    until: null,
    parts: [],
    charge: null,
    method: null,
    card: 'approve',
    saves: null,
    deepLink: null,
    waiting: null,
    ...from,
  }
  model.payments.push(payment)
  return payment
}

/** What can still be captured of an authorisation. */
export function openAmount(model: Model, auth: Payment): number {
  const isOver = auth.until !== null && auth.until <= model.now
  if (auth.type !== 'AUTH' || auth.status !== 'SUCCESS' || isOver) return 0
  return auth.amount - auth.captured - auth.released
}

/** What payments that are under way hold of a charge. */
export function inFlight(model: Model, charge: Charge): number {
  return model.payments
    .filter(({ status }) => status === 'PENDING' || status === 'UNRESOLVED')
    .flatMap(({ parts }) => parts)
    .filter((part) => part.charge === charge)
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** What a card and the network between them make of taking money: at once, or later. */
export function outcomeOf(model: Model, card: Card, fault: Fault): Outcome | Pending {
  if (fault === 'lost' || card === 'lost') return unanswered(model, 'DECLINE')
  if (fault === 'declined' || card === 'decline') return 'DECLINE'
  if (fault === 'silent' || card === 'taken') return unanswered(model, 'SUCCESS')
  if (card === 'succeeds') return pending(model, 'SUCCESS')
  return card === 'fails' ? pending(model, 'DECLINE') : 'SUCCESS'
}

/** What the processor has decided, of which only a query tells. */
function unanswered({ now }: Model, ending: Outcome): Pending {
  return { ending, knownAt: now, checkAt: now + QUERY_AFTER_MS }
}

/** What the sandbox will have decided once it has had its time. */
function pending({ now }: Model, ending: Outcome): Pending {
  return { ending, knownAt: now + SETTLE_AFTER_MS, checkAt: now + SETTLE_AFTER_MS }
}

/** What becomes of a capture or refund, by the card that paid and what the network does. */
export function followUp(
  model: Model,
  fault: Fault,
  card: Card,
  kind: 'capture' | 'refund' | 'void',
): Outcome | Pending {
  if (fault === 'declined') return 'DECLINE'
  if (fault !== 'none') return unanswered(model, fault === 'lost' ? 'DECLINE' : 'SUCCESS')
  if (card === `${kind} succeeds`) return pending(model, 'SUCCESS')
  return card === `${kind} fails` ? pending(model, 'DECLINE') : 'SUCCESS'
}

/** A payment whose processor has been asked. */
export function begin(model: Model, payment: Payment, outcome: Outcome | Pending): void {
  if (typeof outcome === 'string') return settle(model, payment, outcome)
  payment.waiting = outcome
  payment.status = outcome.knownAt > model.now ? 'PENDING' : 'UNRESOLVED'
}

/** What follows once it is known what became of a payment. */
export function settle(model: Model, payment: Payment, ending: Outcome): void {
  // The sandbox's days begin when it approves: a pending one, when it is asked after its time.
  const approved = payment.status === 'UNRESOLVED' ? payment.waiting?.knownAt : model.now
  payment.status = ending
  payment.waiting = null
  if (payment.type === 'AUTH' && ending === 'SUCCESS') {
    payment.until = (approved ?? model.now) + AUTHORISATION_LASTS
  }
  const auth = payment.authorisation
  if (auth && ending === 'DECLINE') auth.captured -= payment.amount
  for (const part of payment.parts) {
    settlePart(part.charge, part.amount, ending)
    follow(model, part.charge)
  }
  if (payment.charge) settleOwnCharge(model, payment.charge, ending)
  if (auth && ending === 'SUCCESS' && payment.final) letGo(model, auth)
}

function settlePart(charge: Charge, amount: number, ending: Outcome): void {
  if (ending === 'DECLINE') return
  charge.paid += amount
  if (charge.paid < charge.amount || charge.status === 'CANCELLED') return
  charge.status = 'PAID'
  charge.nextAttempt = null
}

/**
 * The payment that is announced for a charge has the amount to be collected, and is cancelled once
 * nothing will be; a charge that is to be collected later after all gets a new one.
 */
export function follow(model: Model, charge: Charge): void {
  const payment = charge.announced
  const isPlanned = charge.status === 'ACTIVE' && charge.nextAttempt !== null
  const amount = charge.amount - charge.paid
  if (payment?.status === 'SCHEDULED') {
    if (!isPlanned) payment.status = 'CANCELLED'
    else
      Object.assign(payment, { amount, due: charge.due, parts: [{ charge, amount, refunded: 0 }] })
  } else if (
    payment?.status === 'CANCELLED' &&
    isPlanned &&
    (charge.nextAttempt ?? 0) > model.now
  ) {
    const { type, altKey, method } = payment
    const parts = [{ charge, amount, refunded: 0 }]
    const same = { type, altKey, method, charge }
    charge.announced = newPayment(model, {
      ...same,
      status: 'SCHEDULED',
      amount,
      due: charge.due,
      parts,
    })
  }
}

function settleOwnCharge(model: Model, charge: Charge, ending: Outcome): void {
  if (charge.attempts > 0) {
    if (ending === 'DECLINE' && charge.status === 'ACTIVE' && charge.paid < charge.amount) {
      charge.nextAttempt = retryAt(model, charge)
    }
    return
  }
  const { contract } = charge
  if (!contract || charge.n !== 1) return
  if (ending === 'SUCCESS') {
    contract.started = true
    return
  }
  contract.status = 'CANCELLED'
  contract.nextDue = null
  for (const each of model.charges) {
    if (each.contract !== contract || each.status !== 'ACTIVE') continue
    each.status = 'CANCELLED'
    each.nextAttempt = null
  }
}

function retryAt(model: Model, { attempts, due }: Charge): number | null {
  if (due === null) return null
  const days = RETRIES[attempts - 1]
  const retry = days === undefined ? null : model.now + days * DAY_MS
  return due > (retry ?? model.now) ? due : retry
}

/** Voids what is open of an authorisation, at once and with an answer. */
function letGo(model: Model, auth: Payment): void {
  if (openAmount(model, auth) > 0) settleVoid(model, newVoid(model, auth, null), 'SUCCESS')
}

/** Begins a void of what is open of an authorisation. */
export function newVoid(model: Model, auth: Payment, id: string | null): Void {
  const amount = openAmount(model, auth)
  const released: Void = { id, authorisation: auth, amount, status: 'UNRESOLVED', waiting: null }
  auth.released += amount
  model.voids.push(released)
  return released
}

export function settleVoid(model: Model, released: Void, ending: Outcome): void {
  const { authorisation: auth, amount } = released
  released.waiting = null
  released.status = ending === 'SUCCESS' ? 'SUCCESS' : 'DECLINED'
  if (ending === 'DECLINE') {
    auth.released -= amount
    return
  }
  const all = model.voids
    .filter((each) => each.authorisation === auth && each.status === 'SUCCESS')
    .reduce((sum, each) => sum + each.amount, 0)
  if (all === auth.amount) auth.status = 'VOIDED'
}

export function settleRefund(refund: Refund, ending: Outcome): void {
  refund.waiting = null
  refund.status = ending === 'SUCCESS' ? 'SUCCESS' : 'DECLINED'
  for (const part of refund.parts) {
    if (ending === 'SUCCESS') part.charge.refunded += part.amount
    else partOf(refund.payment, part.charge).refunded -= part.amount
  }
  if (ending === 'DECLINE') refund.payment.refunded -= refund.amount
}

function partOf(payment: Payment, charge: Charge) {
  const part = payment.parts.find((each) => each.charge === charge)
  if (!part) throw new Error('a refund of a charge that the payment was not for')
  return part
}

/** What any operation on a payment does first: the processor may have settled it by now. */
export function recordFirstOutcome(model: Model, payment: Payment): void {
  const { waiting } = payment
  if (!waiting) return
  if (waiting.knownAt <= model.now) settle(model, payment, waiting.ending)
  else waiting.checkAt = Math.max(waiting.knownAt, model.now + 100)
}

/** Everything whose time to be asked about has come. */
export function reconcile(model: Model): void {
  const isDue = ({ waiting }: { waiting: Pending | null }) =>
    waiting !== null && waiting.checkAt <= model.now && waiting.knownAt <= model.now
  const ending = ({ waiting }: { waiting: Pending | null }) => (waiting as Pending).ending
  for (const each of model.payments.filter(isDue)) settle(model, each, ending(each))
  for (const each of model.refunds.filter(isDue)) settleRefund(each, ending(each))
  for (const each of model.voids.filter(isDue)) settleVoid(model, each, ending(each))
}

/** That many calendar months later at the same time of day; the last day where there is no such day. */
export function addMonths(time: number, months: number): number {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (time % DAY_MS)
}

/** The newest of several, by time and then by id. */
export function newest(payments: Payment[]): Payment[] {
  return payments.toSorted(
    (a, b) => b.created - a.created || ((a.id ?? '') < (b.id ?? '') ? 1 : -1),
  )
}
