import { expect } from 'vitest'
import type { ApiResponse } from '../client.ts'
import { newLink, openPayerClient } from '../payer-client.ts'
import {
  type Card,
  DAY_MS,
  type Fault,
  type Model,
  type Outcome,
  type Pending,
  outcomeOf,
  type Trial,
} from './model.ts'
import type { Operation } from './operation.ts'
import { formatAmount, type World } from './world.ts'

/** A payer on a link that begins its contract with a free trial, for which they enter a card. */
export interface TrialRequest {
  kind: 'trial'
  amount: number
  card: Card
  fault: Fault
}

const TRIAL_DAYS = 3
const CHARGES = 2

export function planTrial(_model: Model, wish: TrialRequest): Operation {
  const { amount, card } = wish
  const fault = card === 'approve' ? wish.fault : 'none'
  return {
    fault,
    send: (world) => begin(world, wish),
    follow(now, answer) {
      expect(answer.status, answer.text).toBe(200)
      const trial: Trial = {
        link: answer.json.link,
        status: 'UNRESOLVED',
        amount,
        card,
        waiting: null,
        contract: null,
      }
      now.trials.push(trial)
      const outcome = setupOutcome(now, card, fault)
      if (typeof outcome === 'string') settleTrial(now, trial, outcome)
      else trial.waiting = outcome
    },
  }
}

/** A method is saved at once where its payment would wait. */
function setupOutcome(model: Model, card: Card, fault: Fault): Outcome | Pending {
  const isPending = card === 'succeeds' || card === 'fails'
  return outcomeOf(model, isPending ? 'approve' : card, fault)
}

/** A saved card begins the contract, and nothing else does. Nothing is owed before its first due time. */
export function settleTrial(model: Model, trial: Trial, ending: Outcome): void {
  trial.status = ending
  trial.waiting = null
  if (ending === 'DECLINE') return
  const anchor = model.now + TRIAL_DAYS * DAY_MS
  trial.contract = {
    id: null,
    status: 'ACTIVE',
    started: true,
    amount: trial.amount,
    method: null,
    unit: 'MONTH',
    interval: 1,
    count: CHARGES,
    anchor,
    made: 0,
    nextDue: anchor,
  }
  model.contracts.push(trial.contract)
}

/** Gives the contract of a trial the ids that it is stored under. */
export function adoptTrial(
  model: Model,
  { link, card, contract }: Trial,
  rows: readonly {
    id: string
    payment_link_id: string | null
    payment_method_id: string | null
  }[],
): void {
  const row = rows.find(({ payment_link_id: of }) => of === link)
  if (!contract || contract.id !== null || !row) return
  expect(row.payment_method_id).toMatch(/^pm_/)
  contract.id = row.id
  contract.method = row.payment_method_id
  model.methods.push({ id: contract.method as string, card })
}

/** Returns the answer with the id of the link, as `link`. */
async function begin(world: World, { amount, card }: TrialRequest): Promise<ApiResponse> {
  const { app, merchant, account } = world
  const recurring = { frequency: 'MONTH', count: CHARGES, trial_days: TRIAL_DAYS }
  const options = { amount: formatAmount(amount), currency: 'EUR', account, recurring }
  const { id } = await newLink(merchant, options)
  const payer = await openPayerClient(app, id)
  const payment_method = { type: 'CARD', token: await world.token(card) }
  const answer = await payer.submit({ payment_method })
  return { ...answer, json: { ...answer.json, link: id } }
}
