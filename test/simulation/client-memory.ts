import { expect } from 'vitest'
import type { ApiResponse, Client, MerchantClient } from '../client.ts'
import type { Random } from '../random.ts'
import type { SimulatedProcessor } from './processor.ts'
import type { TestServer } from './test-server.ts'

/** What the clients of a simulation know, and how they ask until they know it. */

/** A request under an Idempotency-Key, repeated until a response comes. */
export interface KeyedRequest {
  path: string
  body: unknown
  key: string
  /** The id of the created record, after the first response. */
  id?: string
}

/** One submit of a payer, which the page repeats until it has an outcome. */
export interface PayAttempt {
  checkout: string
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
  /** The payment links and deep links that payers open. */
  pages: string[]
  customers: Customer[]
}

/** A customer with a stored card, who owes a charge. */
interface Customer {
  account: string
  payment_method: string
  charge: string
}

/** The clients reach the server over the network. */
export interface Simulation extends Client, MerchantClient {
  server: TestServer
  processor: SimulatedProcessor
  /** Of the processor in the API. */
  processorId: string
  random: Random
  /** Epoch milliseconds. */
  now: () => number
  memory: ClientMemory
  nextKey: () => string
}

export type Action = (simulation: Simulation) => Promise<void>

export function newMemory(): ClientMemory {
  return {
    keyed: [],
    attempts: [],
    payments: new Map(),
    links: new Map(),
    pages: [],
    customers: [],
  }
}

/** Sends or repeats a request. One key must always create the same record. */
export async function send(simulation: Simulation, keyed: KeyedRequest): Promise<ApiResponse> {
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

export function begin(simulation: Simulation, path: string, body: unknown): Promise<ApiResponse> {
  const keyed = { path, body, key: simulation.nextKey() }
  simulation.memory.keyed.push(keyed)
  return send(simulation, keyed)
}

/** A final status never changes, except SUCCESS to VOIDED. */
export function recordStatus({ memory }: Simulation, id: string, status: string): void {
  const before = memory.payments.get(id)
  if (before === 'DECLINE') expect(status, id).toBe('DECLINE')
  if (before === 'SUCCESS') expect(['SUCCESS', 'VOIDED'], id).toContain(status)
  memory.payments.set(id, status)
}
