import { expect } from 'vitest'
import type { Instance } from '../../server/db/tables/instances.ts'
import type { Checkstand } from '../../server/index.ts'
import type { Processor } from '../../server/processors/port.ts'
import type { TestApp } from '../app.ts'
import type { Client } from '../client.ts'
import { CARDS } from '../cards.ts'
import { type LedgerRows, readLedger } from '../money-model/books.ts'
import type { Card } from '../money-model/model.ts'
import { CARD_NUMBERS, FAR_EXPIRY } from '../money-model/world.ts'
import { cardToken, completeChallenge } from '../payer-client.ts'
import type { Network } from './network.ts'

/** What a card does in a simulation. */
export type SimulatedCard = Card | 'challenge'

/** The processor of a simulation, which outlives the servers. */
export interface SimulatedProcessor {
  /** Settings of a server that is about to start. */
  settings: () => Promise<Record<string, string>>
  /** Puts the network between the processor and a server. `reached` is false after its crash. */
  attach: (checkstand: Checkstand, reached: () => boolean) => void
  /** Cuts off the server that has crashed. */
  cut: () => void
  /** Connects an instance. Returns the id of the processor in the API. */
  connect: (checkstand: Checkstand, instance: Instance) => Promise<string>
  newToken: (client: Client, card: SimulatedCard) => Promise<string>
  /** Chooses on the page of a bank. Returns the path on which the payer comes back. */
  choose: (client: Client, url: string, choice: 'approve' | 'decline') => Promise<string>
  /** What only this processor can bring about. */
  actions: readonly ((checkstand: Checkstand) => Promise<void>)[]
  /** Resolves when no request is on its way to the processor any more. */
  quiet: () => Promise<void>
  /** Ends what is still processing. */
  settle: () => void
  readLedger: (checkstand: Checkstand, instance: Instance) => Promise<LedgerRows>
  /** Expects what holds at the end beyond equal books. */
  expectEnd: (checkstand: Checkstand) => Promise<void>
  close: () => Promise<void>
}

/** The sandbox, whose books are in the database of the server. Its network is that of the clients. */
export function simulateSandbox(network: Network): SimulatedProcessor {
  return {
    settings: async () => ({}),
    attach({ deps }, reached) {
      const { builtIn } = deps.processors
      const sandbox = builtIn.get('sandbox') as Processor
      builtIn.set('sandbox', network.wrapProcessor(sandbox, reached))
    },
    cut: () => {},
    connect: async () => 'sandbox',
    newToken: (client, card) =>
      cardToken(client, card === 'challenge' ? CARDS.challenge : CARD_NUMBERS[card], FAR_EXPIRY),
    choose: async (client, url, choice) =>
      new URL(await completeChallenge(client, url, choice)).pathname,
    actions: [],
    quiet: async () => {},
    settle: () => {},
    readLedger: (checkstand, instance) => readLedger(ownerOf(checkstand, instance)),
    expectEnd: async () => {},
    close: async () => {},
  }
}

/** What `readLedger` needs of an app and its merchant. */
export function ownerOf(checkstand: Checkstand, instance: Instance) {
  return { app: { checkstand } as TestApp, merchant: { instance } as TestApp['merchant'] }
}

/** Each link is paid at most once, in our records and the processor's. Returns the paid links. */
export function expectPaidOnce({ attempts, operations }: LedgerRows): string[] {
  const moved = new Set(
    operations.filter(({ state }) => state === 'APPROVED').map(({ operation }) => operation),
  )
  const links = attempts.flatMap(({ id, payment_link_id: link }) =>
    link !== null && moved.has(id) ? [link] : [],
  )
  expect(links).toEqual([...new Set(links)])
  return links
}
