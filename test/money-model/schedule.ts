import { expect } from 'vitest'
import {
  addMonths,
  begin,
  type Charge,
  type Contract,
  DAY_MS,
  type Fault,
  type Model,
  newPayment,
  outcomeOf,
} from './model.ts'
import { expectPayment, KEYS, type Operation, pick } from './operation.ts'
import { formatAmount } from './world.ts'

/** `POST /payments` for later: once, with `due`, or again and again, with `recurring`. */
export interface ScheduleRequest {
  kind: 'schedule'
  amount: number
  /** From now. */
  days: number
  method: number
  key: number | null
}

export interface SubscriptionRequest {
  kind: 'subscribe'
  amount: number
  method: number
  unit: Contract['unit']
  interval: number
  count: number
  fault: Fault
}

export function planSchedule(model: Model, wish: ScheduleRequest): Operation | undefined {
  const method = pick(model.methods, wish.method)
  if (!method) return undefined
  const due = model.now + wish.days * DAY_MS
  const altKey = wish.key === null ? null : (pick(KEYS, wish.key) ?? null)
  return {
    fault: 'none',
    send: ({ paymentsClient, account }) =>
      paymentsClient.send({
        amount: formatAmount(wish.amount),
        currency: 'EUR',
        account,
        payment_method: method.id,
        due: new Date(due).toISOString(),
        ...(altKey === null ? {} : { alt_key: altKey }),
      }),
    follow(now, answer) {
      expect(answer.status, answer.text).toBe(200)
      const { id, charge: chargeId } = answer.json.payment
      const charge = newCharge(now, {
        id: chargeId,
        amount: wish.amount,
        due,
        altKey,
        method: method.id,
      })
      const payment = newPayment(now, {
        type: 'PAYMENT',
        status: 'SCHEDULED',
        amount: wish.amount,
        id,
        altKey,
        due,
        method: method.id,
        card: method.card,
        charge,
        parts: [{ charge, amount: wish.amount, refunded: 0 }],
      })
      charge.announced = payment
      expectPayment(now, answer.json.payment, payment)
    },
  }
}

export function planSubscribe(model: Model, wish: SubscriptionRequest): Operation | undefined {
  const method = pick(model.methods, wish.method)
  if (!method) return undefined
  const fault = method.card === 'approve' ? wish.fault : 'none'
  const { amount, unit, interval, count } = wish
  return {
    fault,
    send: ({ paymentsClient, account }) =>
      paymentsClient.send({
        amount: formatAmount(amount),
        currency: 'EUR',
        account,
        payment_method: method.id,
        recurring: { frequency: unit, interval, count },
      }),
    follow(now, answer) {
      expect(answer.status, answer.text).toBe(200)
      const charge = newContract(
        now,
        { amount, method: method.id, unit, interval, count },
        answer.json.payment,
      )
      const payment = newPayment(now, {
        type: 'PAYMENT',
        amount,
        id: answer.json.payment.id,
        method: method.id,
        card: method.card,
        charge,
        parts: [{ charge, amount, refunded: 0 }],
      })
      begin(now, payment, outcomeOf(now, method.card, fault))
      expectPayment(now, answer.json.payment, payment)
    },
  }
}

/** Begins a contract and returns its first charge. */
export function newContract(
  model: Model,
  terms: Pick<Contract, 'amount' | 'unit' | 'interval' | 'count'> & { method: string },
  ids: { contract: string; charge: string },
): Charge {
  const contract: Contract = {
    ...terms,
    id: ids.contract,
    status: 'ACTIVE',
    started: false,
    anchor: model.now,
    made: 0,
    nextDue: model.now,
  }
  model.contracts.push(contract)
  const charge = makeNext(model, contract)
  charge.id = ids.charge
  return charge
}

function newCharge(
  model: Model,
  from: Pick<Charge, 'id' | 'amount' | 'due' | 'method'> & Partial<Charge>,
): Charge {
  const charge: Charge = {
    status: 'ACTIVE',
    paid: 0,
    refunded: 0,
    nextAttempt: from.due,
    attempts: 0,
    altKey: null,
    announced: null,
    contract: null,
    n: 0,
    ...from,
  }
  model.charges.push(charge)
  return charge
}

/** The next charge of a contract, which ends with its last one. */
function makeNext(model: Model, contract: Contract): Charge {
  const due = contract.nextDue
  contract.made += 1
  if (contract.made === contract.count) contract.status = 'ENDED'
  contract.nextDue = contract.status === 'ENDED' ? null : dueOf(contract, contract.made)
  const { amount, method } = contract
  if (method === null) throw new Error('a contract without a method')
  return newCharge(model, { id: null, amount, due, method, contract, n: contract.made })
}

/** The due time after so many, counted from the first one: a month's last day comes back. */
function dueOf({ anchor, unit, interval }: Contract, n: number): number {
  if (unit === 'DAY') return anchor + n * interval * DAY_MS
  if (unit === 'WEEK') return anchor + n * interval * 7 * DAY_MS
  return addMonths(anchor, n * interval)
}

/** Every charge that has fallen due. */
export function makeDue(model: Model): void {
  for (const contract of model.contracts) {
    while (
      contract.status === 'ACTIVE' &&
      contract.started &&
      contract.nextDue !== null &&
      contract.nextDue <= model.now
    ) {
      makeNext(model, contract)
    }
  }
}
