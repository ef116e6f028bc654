import { createDueCharges } from '../../server/charges/recurring-charges.ts'
import type { Deps } from '../../server/deps.ts'
import { syncDueSetups } from '../../server/method-setups/sync.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { settleTrial } from './begin-trial.ts'
import {
  begin,
  type Charge,
  type Fault,
  inFlight,
  type Method,
  type Model,
  newPayment,
  outcomeOf,
  reconcile,
} from './model.ts'
import { makeDue } from './schedule.ts'
import type { World } from './world.ts'

/** What the server does by itself, and the time that passes between. */
export interface JobStep {
  kind: 'reconcile' | 'collect' | 'make charges'
  fault: Fault
}

export interface TimeStep {
  kind: 'pass'
  ms: number
}

const RUN: Record<JobStep['kind'], (deps: Deps) => Promise<number>> = {
  reconcile: async (deps) => (await reconcileDue(deps)) + (await syncDueSetups(deps)),
  collect: collectDue,
  'make charges': createDueCharges,
}

/** Runs a job as often as the scheduler would, until there is nothing left for it to do. */
export async function runJob(model: Model, world: World, wish: JobStep): Promise<void> {
  const { kind } = wish
  const { deps } = world.app.checkstand
  // One thing goes wrong at a time: with the network or with a card.
  const isPlain = dueCharges(model).every((charge) => methodOf(model, charge).card === 'approve')
  const fault = kind === 'collect' && isPlain ? wish.fault : 'none'
  world.fault = fault
  for (let round = 0; (await RUN[kind](deps)) > 0; round += 1) {
    if (round > 50) throw new Error(`${kind} finds no end`)
  }
  world.fault = 'none'
  if (kind === 'reconcile') {
    reconcile(model)
    reconcileTrials(model)
  } else if (kind === 'collect') collect(model, fault)
  else makeDue(model)
}

function reconcileTrials(model: Model): void {
  for (const trial of model.trials) {
    const { waiting } = trial
    if (waiting && waiting.checkAt <= model.now) settleTrial(model, trial, waiting.ending)
  }
}

export function pass(model: Model, world: World, { ms }: TimeStep): void {
  world.app.pass(ms)
  model.now += ms
}

function dueCharges(model: Model): Charge[] {
  return model.charges.filter(
    (charge) =>
      charge.status === 'ACTIVE' &&
      charge.nextAttempt !== null &&
      charge.nextAttempt <= model.now &&
      inFlight(model, charge) === 0,
  )
}

function methodOf(model: Model, charge: Charge): Method {
  const method = model.methods.find(({ id }) => id === charge.method)
  if (!method) throw new Error('a charge without a method')
  return method
}

function collect(model: Model, fault: Fault): void {
  for (const charge of dueCharges(model)) collectOne(model, charge, fault)
}

function collectOne(model: Model, charge: Charge, fault: Fault): void {
  const method = methodOf(model, charge)
  charge.attempts += 1
  charge.nextAttempt = null
  const amount = charge.amount - charge.paid
  const announced = charge.announced?.status === 'SCHEDULED' ? charge.announced : undefined
  const payment =
    announced ??
    newPayment(model, {
      type: 'PAYMENT',
      amount,
      altKey: charge.altKey,
      charge,
      method: method.id,
      card: method.card,
    })
  payment.amount = amount
  if (announced) announced.due = charge.due
  payment.parts = [{ charge, amount, refunded: 0 }]
  begin(model, payment, outcomeOf(model, method.card, fault))
}
