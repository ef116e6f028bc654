import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CARDS } from '../../test/cards.ts'
import { connectProgram, stripeEnvironment } from '../../test/stripe-fake/store-connection.ts'
import type { Charge, Intent } from '../../test/stripe-fake/objects.ts'
import { startStripeFake, type StripeFake } from '../../test/stripe-fake/start.ts'
import { LATE, LATE_MS, type Ledger, type LedgerEntries, type LedgerOptions } from './ledger.ts'

/**
 * Stripe as the processor of a crash run: the fake, in the harness's process, behind a network that takes
 * its time, loses requests and answers, and delivers some requests after their sender is gone.
 */

/** What the sandbox's test cards do, by those of Stripe. */
const STRIPE_CARDS: Readonly<Record<string, string>> = {
  [CARDS.challenge]: '4000002760003184',
  [CARDS.pendingSuccess]: '4000000000000077',
  [CARDS.pendingFailure]: '4000000000000085',
  // The network loses answers by itself.
  [CARDS.noAnswerTaken]: CARDS.approve,
  [CARDS.noAnswerNotTaken]: CARDS.approve,
}

const SETTLE_MS = 500
const SECRETS_MAX = 50

/** Opens an account of Stripe that is empty. */
export async function openStripeLedger(options: LedgerOptions): Promise<Ledger> {
  const fake = await startStripeFake({ now: options.now })
  const network = await startNetwork(fake, options)
  const settling = setInterval(() => fake.settle(), SETTLE_MS)
  return {
    env: stripeEnvironment({ url: network.url }),
    behave: () => network.behave(),
    connect: async (databaseUrl, instances) => ({
      first: await connectProgram(databaseUrl, fake, instances.first),
      second: await connectProgram(databaseUrl, fake, instances.second),
    }),
    newToken: async (number) => fake.card(STRIPE_CARDS[number] ?? number),
    async choose(url, choice) {
      const response = await fetch(`${url}/${choice}`, { redirect: 'manual' })
      return response.headers.get('location') ?? undefined
    },
    books: async () => entriesOf(fake, network.voids),
    problems: () => fake.problems,
    secrets: () => [
      fake.secretKey,
      ...[...fake.account.intents.values()]
        .map(({ client_secret }) => client_secret)
        .slice(-SECRETS_MAX),
    ],
    async close() {
      clearInterval(settling)
      network.close()
      await fake.close()
    },
  }
}

interface Network {
  url: string
  /** Keys of the cancellations that Stripe has made, by intent. */
  voids: Map<string, string>
  behave: () => void
  close: () => void
}

async function startNetwork(
  fake: StripeFake,
  { random, lossy: lossyAtFirst, latencyMs }: LedgerOptions,
): Promise<Network> {
  const voids = new Map<string, string>()
  let lossy = lossyAtFirst
  const pause = () => sleep(lossy === 0 ? 0 : random.between(0, latencyMs))

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const drop = () => void request.socket.destroy()
    const body = await buffer(request)
    await pause()
    if (random.chance(lossy / 2)) return drop()
    if (lossy > 0 && random.chance(LATE)) {
      await sleep(random.between(...LATE_MS))
      // Servers' clocks go ahead from here on, by which no request is under way any more.
      if (lossy === 0) return drop()
    }
    const { authorization = '', ...headers } = request.headers
    const key = headers['idempotency-key']
    const answer = await fetch(`${fake.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        'stripe-version': String(headers['stripe-version']),
        ...(typeof key === 'string' && { 'idempotency-key': key }),
      },
      ...(request.method === 'POST' && { body: new Uint8Array(body) }),
    })
    const text = await answer.text()
    const canceled = /^\/v1\/payment_intents\/(\w+)\/cancel$/.exec(request.url ?? '')?.[1]
    if (canceled !== undefined && answer.ok && typeof key === 'string') voids.set(canceled, key)
    await pause()
    if (random.chance(lossy)) return drop()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    voids,
    behave: () => (lossy = 0),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What Stripe has done for each operation of ours. */
function entriesOf({ account }: StripeFake, voids: ReadonlyMap<string, string>): LedgerEntries {
  const intents = [...account.intents.values()].map((intent) => ({
    intent,
    charge: account.charges.get(intent.latest_charge ?? ''),
  }))
  const refunds = [...account.refunds.values()].map(({ metadata, amount, status }) => ({
    operation: metadata['operation'] ?? '',
    kind: 'REFUND' as const,
    state: status === 'succeeded' ? ('APPROVED' as const) : ('PENDING' as const),
    amount,
  }))
  return {
    operations: [
      ...intents.flatMap(({ intent, charge }) => operationsOf(intent, charge, voids)),
      ...refunds,
    ],
    charges: [...account.charges.values()]
      .filter(({ captured }) => captured)
      .map(({ id, amount_captured, amount_refunded }) => ({
        id,
        amount: amount_captured,
        refunded: amount_refunded,
      })),
    authorisations: intents.flatMap(({ intent, charge }) =>
      intent.capture_method === 'manual' && charge?.paid
        ? [
            {
              id: intent.id,
              reserved: intent.amount,
              captured: charge.amount_captured,
              released: intent.amount - charge.amount_captured,
            },
          ]
        : [],
    ),
  }
}

function operationsOf(
  { id, amount, status, capture_method, metadata }: Intent,
  charge: Charge | undefined,
  voids: ReadonlyMap<string, string>,
): LedgerEntries['operations'] {
  const operation = metadata['operation'] ?? ''
  if (!charge?.paid) return []
  const state = 'APPROVED'
  if (capture_method === 'automatic') return [{ operation, kind: 'PAY', state, amount }]
  const reserved = { operation, kind: 'AUTHORISE', state, amount } as const
  const followed =
    status === 'canceled'
      ? ({ operation: voids.get(id) ?? '', kind: 'VOID', state, amount } as const)
      : charge.captured
        ? ({
            operation: metadata['capture'] ?? '',
            kind: 'CAPTURE',
            state,
            amount: charge.amount_captured,
          } as const)
        : undefined
  return followed ? [reserved, followed] : [reserved]
}
