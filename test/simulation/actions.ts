import { foldCounts } from '../../server/checkout-monitor/fold-changes.ts'
import { expect } from 'vitest'
import { createDueCharges } from '../../server/charges/recurring-charges.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { fanOutEvents } from '../../server/webhooks/fan-out.ts'
import type { ApiResponse, Client, MerchantClient } from '../client.ts'
import type { Random } from '../random.ts'
import type { SimulatedProcessor } from './processor.ts'
import type { TestServer } from './test-server.ts'

/** What payers, merchants and the server's jobs do in a simulation. */

/** A request under an Idempotency-Key, repeated until a response comes. */
interface KeyedRequest {
  path: string
  body: unknown
  key: string
  /** The id of the created record, after the first response. */
  id?: string
}

/** One submit of a payer, which the page repeats until it has an outcome. */
interface PayAttempt {
  link: string
  token: string
  body: Record<string, unknown>
  outcome?: string
  /** The bank's page, after the first response that leads to it. */
  bank?: string
}

/** Responses that clients have seen, which the server must never contradict. */
export interface ClientMemory {
  keyed: KeyedRequest[]
  attempts: PayAttempt[]
  /** The last status of each payment that a client has seen. */
  payments: Map<string, string>
  /** The highest version of each link that a client has seen. */
  links: Map<string, number>
}

/** The clients reach the server over the network. */
export interface Simulation extends Client, MerchantClient {
  server: TestServer
  processor: SimulatedProcessor
  /** Of the processor in the API. */
  processorId: string
  random: Random
  memory: ClientMemory
  nextKey: () => string
}

export type Action = (simulation: Simulation) => Promise<void>

export function newMemory(): ClientMemory {
  return { keyed: [], attempts: [], payments: new Map(), links: new Map() }
}

/** Sends or repeats a request. One key must always create the same record. */
async function send(simulation: Simulation, keyed: KeyedRequest): Promise<ApiResponse> {
  const { path, body, key } = keyed
  const response = await simulation.api(path, { body, headers: { 'idempotency-key': key } })
  const record = Object.values(response.json)[0] as { id?: string; status?: string }
  if (response.status === 200 && record.id !== undefined) {
    if (keyed.id !== undefined) expect(record.id, `made under ${key}`).toBe(keyed.id)
    keyed.id = record.id
    // A replay shows the earlier state.
    const isNews = !response.headers.has('idempotent-replayed')
    if (isNews && /^(pay|ca)_/.test(record.id))
      recordStatus(simulation, record.id, record.status ?? '')
  }
  return response
}

function begin(simulation: Simulation, path: string, body: unknown): Promise<ApiResponse> {
  const keyed = { path, body, key: simulation.nextKey() }
  simulation.memory.keyed.push(keyed)
  return send(simulation, keyed)
}

/** A final status never changes, except SUCCESS to VOIDED. */
function recordStatus({ memory }: Simulation, id: string, status: string): void {
  const before = memory.payments.get(id)
  if (before === 'DECLINE') expect(status, id).toBe('DECLINE')
  if (before === 'SUCCESS') expect(['SUCCESS', 'VOIDED'], id).toContain(status)
  memory.payments.set(id, status)
}

const KINDS = [
  ...(['approve', 'approve', 'decline', 'taken', 'lost', 'succeeds', 'fails'] as const),
  ...(['refund succeeds', 'refund fails', 'capture succeeds', 'capture fails'] as const),
]
const PAYER_KINDS = [...KINDS, 'challenge', 'challenge', 'challenge'] as const

const newToken = (simulation: Simulation, kinds: typeof PAYER_KINDS | typeof KINDS = KINDS) =>
  simulation.processor.newToken(simulation, simulation.random.pick(kinds))

const amounts = ['1.00', '9.99', '100.00'] as const

const takePayment: Action = async (simulation) => {
  const { random } = simulation
  const recurring = random.chance(0.2) && { recurring: { frequency: 'MONTH', count: 3 } }
  const payment_method = { token: await newToken(simulation) }
  const payment = { amount: random.pick(amounts), currency: 'EUR', payment_method, ...recurring }
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

const makeLink: Action = async (simulation) => {
  const { random } = simulation
  const recurring = random.chance(0.2) && { recurring: { frequency: 'MONTH', count: 3 } }
  const options = { amount: random.pick(amounts), currency: 'EUR', ...recurring }
  const response = await begin(simulation, '/payment_links', { payment_link: { options } })
  if (response.status === 200) simulation.memory.links.set(response.json.payment_link.id, 1)
}

const editLink: Action = async (simulation) => {
  const { memory, random } = simulation
  const id = [...memory.links.keys()][random.between(0, memory.links.size)]
  if (id === undefined) return
  const name = `Beans ${simulation.nextKey()}`
  const { status, json } = await simulation.api(`/payment_links/${id}`, {
    method: 'PUT',
    body: { payment_link: { options: { name } } },
  })
  if (status !== 200) return
  // Each accepted write gets a version of its own.
  expect(json.payment_link.options.name).toBe(name)
  memory.links.set(id, Math.max(memory.links.get(id) ?? 0, json.payment_link.v))
}

/** Opens a link and pays, often in two windows at once. */
const pay: Action = async (simulation) => {
  const { call, memory, random } = simulation
  const ids = [...memory.links.keys()]
  if (ids.length === 0) return
  const link = ids[Math.max(0, ids.length - 1 - random.between(0, 2))] as string
  const token = await newToken(simulation, PAYER_KINDS)
  const opened = await call(`/pay/${link}/checkouts`, { body: {} })
  if (opened.status !== 200 || opened.json.token === undefined) return
  const { options_v } = opened.json.checkout
  const payment_method = { type: 'CARD', processor: simulation.processorId, token }
  const press: PayAttempt = {
    link,
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

const readLink: Action = async (simulation) => {
  const { memory, random } = simulation
  const id = [...memory.links.keys()][random.between(0, memory.links.size)]
  if (id === undefined) return
  // Read before the request, since the state may change meanwhile.
  const before = memory.links.get(id) ?? 0
  const { status, json } = await simulation.api(`/payment_links/${id}`)
  expect(status).toBe(200)
  expect(json.payment_link.v, id).toBeGreaterThanOrEqual(before)
  memory.links.set(id, Math.max(memory.links.get(id) ?? 0, json.payment_link.v))
}

const work = [reconcileDue, collectDue, createDueCharges, fanOutEvents, foldCounts]

/** Runs all jobs of the server at once, as its timers do. */
export const runJobs: Action = async ({ server }) => {
  await Promise.all(work.map((job) => job(server.checkstand.deps)))
}

/** Runs before faults start. */
export const INITIAL_ACTIONS: readonly Action[] = [
  makeLink,
  makeLink,
  makeLink,
  takePayment,
  authorize,
  authorize,
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
