import { expect } from 'vitest'
import {
  begin,
  type Card,
  type Charge,
  type Fault,
  inFlight,
  type Model,
  newPayment,
  outcomeOf,
  type Payment,
} from './model.ts'
import {
  chargeNamed,
  expectPayment,
  expectRefusal,
  KEYS,
  type Operation,
  pick,
} from './operation.ts'
import { formatAmount, type World } from './world.ts'

/** `POST /payments`: with a new card or a stored one, for nothing in particular or for charges. */
export interface PaymentRequest {
  kind: 'take'
  action: 'PAYMENT' | 'AUTH'
  amount: number
  card: Card
  /** Which stored method to use instead of the card; null for the card. */
  stored: number | null
  save: boolean
  key: number | null
  /** Charges to pay a part of, and how much: active ones, or, when it strays, any. */
  parts: { charge: number; amount: number }[]
  stray: boolean
  fault: Fault
}

export function planPayment(model: Model, wish: PaymentRequest): Operation | undefined {
  const method = wish.stored === null ? undefined : pick(model.methods, wish.stored)
  const card = method?.card ?? wish.card
  // One thing goes wrong at a time.
  const fault = card === 'approve' ? wish.fault : 'none'
  const parts = wish.action === 'AUTH' ? [] : partsOf(model, wish)
  const altKey = wish.key === null ? null : (pick(KEYS, wish.key) ?? null)
  const saves = wish.save && !method ? card : null
  return {
    fault,
    send: async (world) =>
      world.paymentsClient.send({
        action: wish.action,
        amount: formatAmount(wish.amount),
        currency: 'EUR',
        account: world.account,
        payment_method: method ? method.id : { token: await world.token(card), save: wish.save },
        ...(altKey === null ? {} : { alt_key: altKey }),
        ...(parts.length === 0
          ? {}
          : { parts: parts.map((part) => ({ ...part, amount: formatAmount(part.amount) })) }),
      }),
    follow(now, answer) {
      if (parts.reduce((sum, part) => sum + part.amount, 0) > wish.amount) {
        return expectRefusal(answer, 400, 'INVALID_REQUEST')
      }
      const paid = parts.map((part) => ({
        charge: chargeNamed(now, part.charge),
        amount: part.amount,
        refunded: 0,
      }))
      if (!paid.every((part) => takes(now, part.charge, part.amount))) {
        return expectRefusal(answer, 400, 'INVALID_STATE')
      }
      expect(answer.status, answer.text).toBe(200)
      const payment = newPayment(now, {
        type: wish.action,
        amount: wish.amount,
        id: answer.json.payment.id,
        altKey,
        method: method?.id ?? null,
        card,
        parts: paid,
        saves,
      })
      begin(now, payment, outcomeOf(now, card, fault))
      recordMethodId(now, payment, answer.json.payment.payment_method)
      expectPayment(now, answer.json.payment, payment)
    },
  }
}

function partsOf(
  model: Model,
  { parts, stray }: PaymentRequest,
): { charge: string; amount: number }[] {
  const amounts = new Map<string, number>()
  const active = model.charges.filter(({ status }) => status === 'ACTIVE')
  for (const part of parts) {
    const charge = pick(stray ? model.charges : active, part.charge)
    if (charge?.id) amounts.set(charge.id, part.amount)
  }
  return [...amounts].map(([charge, amount]) => ({ charge, amount }))
}

/** Whether a charge accepts a payment: it is active and has that much open that is not being paid. */
function takes(model: Model, charge: Charge, amount: number): boolean {
  return (
    charge.status === 'ACTIVE' && charge.amount - charge.paid - inFlight(model, charge) >= amount
  )
}

/** An authorisation that was let go had succeeded before. */
const SUCCEEDED = ['SUCCESS', 'VOIDED']

/** A card that was to be kept has an id once its payment succeeded, and never before. */
export function recordMethodId(model: Model, payment: Payment, id: string | null): void {
  if (payment.saves === null || payment.method !== null || !SUCCEEDED.includes(payment.status))
    return
  expect(id).toMatch(/^pm_/)
  payment.method = id as string
  model.methods.push({ id: id as string, card: payment.saves })
}

/** A first payment that keeps its card, for every run begins with one. */
export async function storeFirstCard(model: Model, world: World): Promise<void> {
  const operation = planPayment(model, {
    kind: 'take',
    action: 'PAYMENT',
    amount: 100,
    card: 'approve',
    stored: null,
    save: true,
    key: null,
    parts: [],
    stray: false,
    fault: 'none',
  })
  if (operation) operation.follow(model, await operation.send(world))
}
