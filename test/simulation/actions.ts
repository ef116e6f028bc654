import { expect } from 'vitest'
import { createDueCharges } from '../../server/charges/recurring-charges.ts'
import { foldCounts } from '../../server/checkout-monitor/fold-changes.ts'
import { fileInsights } from '../../server/insights/file.ts'
import { closeExpiredSessions } from '../../server/checkouts/close-sessions.ts'
import { recordDeepLinkExpiries } from '../../server/deep-links/expire.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { fanOutEvents } from '../../server/webhooks/fan-out.ts'
import { AMOUNTS, newToken, PAYER_KINDS } from './cards.ts'
import {
  type Action,
  begin,
  type PayAttempt,
  recordStatus,
  send,
  type Simulation,
} from './client-memory.ts'
import {
  changeDeepLink,
  editLink,
  makeCustomer,
  makeDeepLink,
  makeLink,
  readLink,
  settleCharge,
} from './links.ts'

/** What payers, merchants and the server's jobs do in a simulation. */

const takePayment: Action = async (simulation) => {
  const { random } = simulation
  const recurring = random.chance(0.2) && { recurring: { frequency: 'MONTH', count: 3 } }
  const payment_method = { token: await newToken(simulation) }
  const payment = { amount: random.pick(AMOUNTS), currency: 'EUR', payment_method, ...recurring }
  await begin(simulation, '/payments', { payment })
}

const authorize: Action = async (simulation) => {
  const payment_method = { token: await newToken(simulation) }
  const payment = { action: 'AUTH', amount: '100.00', currency: 'EUR', payment_method }
  await begin(simulation, '/payments', { payment })
}

/** Captures, refunds or voids any payment, allowed or not. */
const followUp: Action = async (simulation) => {
  const { memory, random } = simulation
  const id = [...memory.payments.keys()][random.between(0, memory.payments.size)]
  if (id === undefined) return
  const verb = random.pick(['capture', 'refund', 'void'])
  const amount = random.pick(['1.00', '60.00', undefined])
  const body = verb === 'void' ? {} : { [verb]: amount === undefined ? {} : { amount } }
  await begin(simulation, `/payments/${id}/${verb}`, body)
}

/** Repeats a request, with or without a response. */
const repeat: Action = async (simulation) => {
  const { memory, random } = simulation
  if (memory.keyed.length > 0) await send(simulation, random.pick(memory.keyed))
}

/** Opens a link and pays, often in two windows at once. */
const pay: Action = async (simulation) => {
  const { call, memory, random } = simulation
  const { pages } = memory
  if (pages.length === 0) return
  const page = pages[Math.max(0, pages.length - 1 - random.between(0, 3))] as string
  const token = await newToken(simulation, PAYER_KINDS)
  const folder = page.startsWith('dl_') ? 'go' : 'pay'
  const opened = await call(`/${folder}/${page}/checkouts`, { body: {} })
  if (opened.status !== 200 || opened.json.token === undefined) return
  const { id: checkout, options_v } = opened.json.checkout
  const payment_method = { type: 'CARD', processor: simulation.processorId, token }
  const press: PayAttempt = {
    checkout,
    token: opened.json.token as string,
    body: { attempt_key: simulation.random.uuid(), options_v, payment_method },
  }
  memory.attempts.push(press)
  await submit(simulation, press)
  if (press.bank !== undefined && random.chance(0.7)) await visitBank(simulation, press)
}

/** Chooses on the bank's page, and often comes back from it. */
async function visitBank(simulation: Simulation, { bank }: PayAttempt): Promise<void> {
  if (bank === undefined) return
  const { processor, random, call } = simulation
  const path = await processor.choose(simulation, bank, random.pick(['approve', 'decline']))
  if (random.chance(0.7)) await call(path)
}

async function submit({ call }: Simulation, press: PayAttempt): Promise<void> {
  const headers = { authorization: `Bearer ${press.token}` }
  const { body } = press
  // What has been heard before it is asked: an answer of before may come in after it.
  const outcomeBefore = press.outcome
  const response = await call('/pay/checkouts/current/submit', { headers, body })
  const outcome = response.json.outcome as string | undefined
  press.bank ??= response.json.action?.url
  // A repeat returns the same outcome.
  if (outcomeBefore === 'COMPLETED') expect(outcome ?? 'COMPLETED').toBe('COMPLETED')
  if (outcome !== undefined && press.outcome !== 'COMPLETED') press.outcome = outcome
}

const repeatSubmit: Action = async (simulation) => {
  const { memory, random } = simulation
  if (memory.attempts.length > 0) await submit(simulation, random.pick(memory.attempts))
}

const visitAnyBank: Action = async (simulation) => {
  const { memory, random } = simulation
  if (memory.attempts.length > 0) await visitBank(simulation, random.pick(memory.attempts))
}

/** Reads a payment whose creation was acknowledged. */
const readPayment: Action = async (simulation) => {
  const { memory, random } = simulation
  const id = [...memory.payments.keys()][random.between(0, memory.payments.size)]
  if (id === undefined) return
  const { status, json, text } = await simulation.api(`/payments/${id}`)
  expect(status, text).toBe(200)
  recordStatus(simulation, id, json.payment.status)
}

const work = [
  reconcileDue,
  collectDue,
  createDueCharges,
  closeExpiredSessions,
  recordDeepLinkExpiries,
  fanOutEvents,
  foldCounts,
  fileInsights,
]

/** Runs all jobs of the server at once, as its timers do. */
export const runJobs: Action = async ({ server }) => {
  await Promise.all(work.map((job) => job(server.checkstand.deps)))
}

/** Runs before faults start. */
export const INITIAL_ACTIONS: readonly Action[] = [
  makeLink,
  makeLink,
  makeLink,
  makeDeepLink,
  makeCustomer,
  takePayment,
  authorize,
  authorize,
  pay,
  pay,
]

export const ACTIONS: readonly Action[] = [
  takePayment,
  takePayment,
  authorize,
  authorize,
  followUp,
  followUp,
  followUp,
  repeat,
  repeat,
  makeLink,
  makeLink,
  makeLink,
  makeLink,
  makeDeepLink,
  makeDeepLink,
  changeDeepLink,
  makeCustomer,
  settleCharge,
  settleCharge,
  editLink,
  pay,
  pay,
  pay,
  pay,
  pay,
  pay,
  repeatSubmit,
  repeatSubmit,
  repeatSubmit,
  visitAnyBank,
  readPayment,
  readPayment,
  readLink,
  runJobs,
]

/**
 * Repeats every request about money. Without faults, all of them are answered. The keys of other
 * requests have expired by then.
 */
export async function repeatEveryRequest(simulation: Simulation, allowed: number[]): Promise<void> {
  for (const keyed of simulation.memory.keyed.filter(({ path }) => path.startsWith('/payments'))) {
    const { status, text } = await send(simulation, keyed)
    expect(allowed, `${keyed.path}: ${text}`).toContain(status)
  }
  for (const press of simulation.memory.attempts) await submit(simulation, press)
  for (const id of simulation.memory.payments.keys()) {
    const { json } = await simulation.api(`/payments/${id}`)
    recordStatus(simulation, id, json.payment.status)
  }
}
