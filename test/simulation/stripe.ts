import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Checkstand } from '../../server/index.ts'
import { syncReversals } from '../../server/payments/sync-reversals.ts'
import { createJournal } from '../../server/processors/journal.ts'
import { createProcessors } from '../../server/processors/registry.ts'
import { createStripe } from '../../server/processors/stripe/index.ts'
import { CARD_NUMBERS } from '../money-model/world.ts'
import { readLedger } from '../money-model/books.ts'
import type { Random } from '../random.ts'
import { booksOf } from '../stripe-fake/books.ts'
import { startStripeFake, type StripeFake } from '../stripe-fake/start.ts'
import { ENCRYPTION_KEYS, stripeEnvironment } from '../stripe-fake/environment.ts'
import { insertStripeConnection } from '../stripe-fake/store-connection.ts'
import {
  canceledIntent,
  deliverRequest,
  readWireRequest,
  type WireRequest,
} from '../stripe-fake/wire.ts'
import { eventLoopTurns } from './event-loop.ts'
import type { Network } from './network.ts'
import { ownerOf, type SimulatedCard, type SimulatedProcessor } from './processor.ts'

/**
 * Stripe as the processor of a simulation: the fake, over HTTP, behind a network that loses, repeats,
 * holds back and garbles messages. A seed decides what is sent and what is lost; what meets what is left
 * to HTTP.
 */

/** What the sandbox's cards do, by those of Stripe. The network loses answers by itself. */
const STRIPE_CARDS: Partial<Record<SimulatedCard, string>> = {
  decline: '4000000000000002',
  succeeds: '4000000000000077',
  fails: '4000000000000085',
  'refund succeeds': '4000000000007726',
  'refund fails': '4000000000009995',
  challenge: '4000002760003184',
}

/** The share of requests that arrive when their sender no longer waits. */
const LATE = 0.04
/** Stripe forgets idempotency keys after a day. */
const DAY_MS = 86_400_000

interface StripeSimulation {
  random: Random
  network: Network
  /** Epoch milliseconds. */
  now: () => number
}

export async function simulateStripe(context: StripeSimulation): Promise<SimulatedProcessor> {
  const { random, now } = context
  const fake = await startStripeFake({ now })
  const wire = createFaultyWire(fake, context)
  // As often as a request is sent again when no answer comes.
  const retryDelaysMs = random.pick([[], [0, 0]])
  let connection = ''
  let keysFrom = now()
  let apiUrl = ''
  let hangUp = () => {}

  return {
    async settings() {
      const line = await wire.open()
      apiUrl = line.url
      hangUp = line.hangUp
      return stripeEnvironment({ url: apiUrl })
    },
    attach({ deps }) {
      const url = apiUrl
      deps.processors = createProcessors(deps.db, {
        builtIn: [...deps.processors.builtIn.values()],
        connect: async ({ id }) =>
          createStripe({
            id,
            test: true,
            publishableKey: fake.publishableKey,
            secretKey: fake.secretKey,
            webhookSecrets: () => [],
            settings: {},
            apiUrl: url,
            scriptUrl: `${url}/stripe.js`,
            journal: createJournal(deps.db, id, now),
            now,
            log: deps.log,
            failpoint: () => {},
            retryDelaysMs,
          }),
        now,
        log: deps.log,
      })
    },
    cut: () => hangUp(),
    async connect({ deps }, { id: instance_id }) {
      const row = { instance_id, keys: ENCRYPTION_KEYS, created: now() }
      connection = await insertStripeConnection(deps.db, row, fake, {})
      return connection
    },
    newToken: async (_client, card) => fake.card(STRIPE_CARDS[card] ?? CARD_NUMBERS.approve),
    async choose(_client, url, choice) {
      fake.confirm(url, choice)
      const intent = fake.account.intents.get(url.slice(url.lastIndexOf('/') + 1))
      return new URL(intent?.return_url ?? url).pathname
    },
    actions: [
      async () => fake.settle(),
      async () => refundInDashboard(fake, random),
      async () => dispute(fake, random),
      async ({ deps }) => void (await syncReversals(deps)),
    ],
    async quiet() {
      await wire.quiet()
      if (now() - keysFrom < DAY_MS) return
      fake.forgetKeys()
      keysFrom = now()
    },
    settle: () => fake.settle(),
    readLedger: (checkstand, instance) =>
      readLedger(ownerOf(checkstand, instance), async () => booksOf(fake.account, wire.voids)),
    expectEnd: (checkstand) => expectNothingOpen(fake, checkstand),
    async close() {
      hangUp()
      await wire.quiet()
      await fake.close()
    },
  }
}

/** A payment that has taken money; undefined before there is one. */
function takenIntent({ account }: StripeFake, random: Random): string | undefined {
  const taken = [...account.charges.values()].filter(
    ({ captured, disputed, amount, amount_refunded }) =>
      captured && !disputed && amount_refunded < amount,
  )
  return taken.length === 0 ? undefined : random.pick(taken).payment_intent
}

function refundInDashboard(fake: StripeFake, random: Random): void {
  const intent = takenIntent(fake, random)
  if (intent !== undefined && random.chance(0.3)) fake.afterwards.refundInDashboard(intent, 50)
}

function dispute(fake: StripeFake, random: Random): void {
  const open = [...fake.account.disputes.values()].find(({ status }) => status === 'needs_response')
  if (open) return fake.afterwards.closeDispute(open.id, random.pick(['won', 'lost'] as const))
  const intent = takenIntent(fake, random)
  if (intent !== undefined && random.chance(0.3)) fake.afterwards.dispute(intent, 60)
}

/** No payment that was declined, or is not ours, could still be made. */
async function expectNothingOpen({ account, problems }: StripeFake, { deps }: Checkstand) {
  expect(problems).toEqual([])
  const noted = await deps.db.selectFrom('processor_operations').select('reference').execute()
  const references = new Set(noted.map(({ reference }) => reference))
  const open = [...account.intents.values()].filter(({ id, status }) =>
    status === 'requires_confirmation'
      ? references.has(id)
      : ['requires_payment_method', 'requires_action', 'processing'].includes(status),
  )
  expect(open.map(({ id, status }) => [id, status])).toEqual([])
}

type Answer = 'LOST' | { status: number; text: string }

/** The network between the servers and the fake. Each server has a line of its own. */
function createFaultyWire(fake: StripeFake, { random, network }: StripeSimulation) {
  const voids = new Map<string, string>()
  const under = new Set<Promise<unknown>>()
  /** Requests whose senders no longer wait. */
  let late: WireRequest[] = []

  async function deliver(request: WireRequest): Promise<{ status: number; text: string }> {
    const answer = await deliverRequest(fake, request)
    const canceled = canceledIntent(request, answer.status)
    if (canceled) voids.set(...canceled)
    return answer
  }

  async function forward(request: WireRequest): Promise<Answer> {
    const { lostRequest, lostAnswer, twice, garbage } = network.faultRates
    // A payment takes several requests, each of which may fail.
    const chance = (rate: number) => random.chance(rate / 2)
    if (chance(lostRequest)) return 'LOST'
    if (lostRequest > 0 && random.chance(LATE)) {
      late.push(request)
      return 'LOST'
    }
    if (chance(garbage)) return random.pick(REFUSALS)
    if (chance(twice)) {
      await deliver(request)
      await eventLoopTurns(random.between(0, 6))
    }
    const answer = await deliver(request)
    if (chance(garbage)) return random.pick(GARBAGE)
    return chance(lostAnswer) ? 'LOST' : answer
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await forward(await readWireRequest(request))
    if (answer === 'LOST') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  }

  return {
    voids,
    async open(): Promise<{ url: string; hangUp: () => void }> {
      const server = createServer((request, response) => {
        const served = serve(request, response).catch(() => request.socket.destroy())
        under.add(served)
        void served.finally(() => under.delete(served))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        hangUp() {
          server.close()
          server.closeAllConnections()
        },
      }
    },
    async quiet() {
      await Promise.all(under)
      const arriving = late
      late = []
      for (const request of arriving) await deliver(request)
    },
  }
}

const error = (type: string) => JSON.stringify({ error: { type, message: 'Try again.' } })
/** Answers to requests that had no effect. */
const REFUSALS: readonly Answer[] = [
  { status: 429, text: error('rate_limit_error') },
  { status: 409, text: error('idempotency_error') },
  { status: 500, text: error('api_error') },
]
/** Answers to requests that had their effect. */
const GARBAGE: readonly Answer[] = [
  { status: 500, text: error('api_error') },
  { status: 200, text: '<html>Maintenance</html>' },
  { status: 200, text: '{}' },
]
