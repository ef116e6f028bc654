import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CARDS } from '../../test/cards.ts'
import { entriesOf } from '../../test/stripe-fake/ledger-entries.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { connectProgram } from '../../test/stripe-fake/store-connection.ts'
import { startStripeFake, type StripeFake } from '../../test/stripe-fake/start.ts'
import { canceledIntent, deliverRequest, readWireRequest } from '../../test/stripe-fake/wire.ts'
import { countRequests, LATE, LATE_MS, type Ledger, type LedgerOptions } from './ledger.ts'

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
    idle: () => network.idle(),
    connect: async (databaseUrl, instances) => ({
      first: await connectProgram(databaseUrl, fake, instances.first),
      second: await connectProgram(databaseUrl, fake, instances.second),
    }),
    newToken: async (number) => fake.card(STRIPE_CARDS[number] ?? number),
    async choose(url, choice) {
      const response = await fetch(`${url}/${choice}`, { redirect: 'manual' })
      return response.headers.get('location') ?? undefined
    },
    books: async () => entriesOf(fake.account, network.voids),
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
  idle: () => Promise<void>
  close: () => void
}

async function startNetwork(
  fake: StripeFake,
  { random, lossy: lossyAtFirst, latencyMs }: LedgerOptions,
): Promise<Network> {
  const voids = new Map<string, string>()
  const traffic = countRequests()
  let lossy = lossyAtFirst
  const pause = () => sleep(lossy === 0 ? 0 : random.between(0, latencyMs))

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const drop = () => void request.socket.destroy()
    const received = await readWireRequest(request)
    await pause()
    if (random.chance(lossy / 2)) return drop()
    if (lossy > 0 && random.chance(LATE)) {
      await sleep(random.between(...LATE_MS))
      // Servers' clocks go ahead from here on, by which no request is under way any more.
      if (lossy === 0) return drop()
    }
    const { status, text } = await deliverRequest(fake, received)
    const canceled = canceledIntent(received, status)
    if (canceled) voids.set(...canceled)
    await pause()
    if (random.chance(lossy)) return drop()
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }

  const server = createServer((request, response) => {
    traffic.during(forward(request, response)).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    voids,
    behave: () => (lossy = 0),
    idle: traffic.idle,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
