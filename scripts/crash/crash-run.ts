import { type ApiResponse, createCaller, merchantApi, type Call } from '../../test/client.ts'
import type { Browser } from '../../test/oauth.ts'
import type { Json } from '../../test/payments-client.ts'
import type { Random } from '../../test/random.ts'
import { createHistory, type History } from './history.ts'
import type { Ledger } from './ledger.ts'
import { MARK, type MerchantName, type Platform, SECRET_KEYS } from './merchants.ts'
import type { Servers } from './servers.ts'

/** What all clients of a crash run share: where the servers are, and the list of what happened. */

/** A request without a response may have been processed or not, and may have to be sent again. */
export interface ClientRequest extends Call {
  op: string
  path: string
  /** Its Idempotency-Key, which makes it one request however often it is sent. */
  key?: string
  /** Not a call of the shop's own API: no key of the shop goes with it. */
  isOpen?: boolean
  about?: Record<string, Json>
}

export interface Client {
  name: string
  shop: MerchantName
  random: Random
  /** Resolves with undefined without a response; the request may have been processed or not. */
  send: (request: ClientRequest) => Promise<ApiResponse | undefined>
  /** Repeats the request until a response comes, or leaves that to the end of the run. */
  insist: (request: ClientRequest) => Promise<ApiResponse | undefined>
}

export interface CrashRun {
  history: History
  ledger: Ledger
  servers: Servers
  platform: Platform
  /** The processors' ids in the API. */
  processors: Record<MerchantName, string>
  /** Requests without a response, with their clients. */
  open: Map<string, { client: Client; request: ClientRequest }>
  /** Links that several clients edit at the same time. */
  links: Record<MerchantName, string[]>
  /** The deep link that the payers of a shop use at present. */
  deepLinks: Partial<Record<MerchantName, string | undefined>>
  /** The legal entities of the shops. */
  entities: Record<MerchantName, string[]>
  /** The secrets that sign the webhooks of the shops. */
  webhookSecrets: Map<string, string>
  /** In which the first shop's user is signed in. */
  browser?: Browser
  /** 1, 2, 3 and so on, for each name. */
  countUp: (name: string) => number
  /** Responses that no client should ever receive. */
  unexpectedResponses: string[]
  /** Closed while servers are away and while the invariants are looked at. */
  gate: Gate
  newClient: (name: string, shop: MerchantName, random: Random) => Client
}

export interface Gate {
  /** Makes a call when the gate is open. */
  pass: <R>(call: () => Promise<R>) => Promise<R>
  open: () => void
  /** Resolves when every call that had begun has ended. */
  close: () => Promise<void>
  /** False once no client is to begin anything any more. */
  isOver: () => boolean
  end: () => void
}

const PATIENCE_MS = 30_000
const fetchPatiently = (request: Request) =>
  fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) })

export function createCrashRun(from: {
  historyFile: string
  ledger: Ledger
  servers: Servers
  platform: Platform
  processors: Record<MerchantName, string>
  /** Whether a 5xx can be the database's fault, and so leaves the outcome unknown. */
  databaseFails: boolean
}): CrashRun {
  const { ledger, servers, platform, processors } = from
  const history = createHistory(from.historyFile)
  const gate = createGate()
  const lab: CrashRun = {
    history,
    gate,
    ledger,
    servers,
    platform,
    processors,
    open: new Map(),
    links: { first: [], second: [] },
    deepLinks: {},
    entities: { first: [], second: [] },
    webhookSecrets: new Map(),
    countUp: createCounters(),
    unexpectedResponses: [],
    newClient,
  }

  function send(client: Client, request: ClientRequest): Promise<ApiResponse | undefined> {
    return gate.pass(async () => {
      const { op, path, key, about, isOpen, ...call } = request
      const { name, shop, random } = client
      const noted = history.begin({
        client: name,
        shop,
        op,
        ...(key !== undefined && { key }),
        ...(about && { about }),
      })
      const caller = createCaller({ fetch: fetchPatiently }, random.pick(servers.bases()))
      const instance = { key: 'default' }
      const api = merchantApi(caller, { instance, secretKey: SECRET_KEYS[shop] })
      const headers = { ...(key !== undefined && { 'idempotency-key': key }), ...call.headers }
      const response = await (isOpen ? caller : api)(path, { ...call, headers }).catch(
        (error: Error) => {
          const isLost = error instanceof TypeError || error.name === 'TimeoutError'
          if (!isLost) lab.unexpectedResponses.push(`${op} of ${name}: ${error.message}`)
        },
      )
      if (response) watch(client, op, response)
      const outcome = response && response.status < 500 ? response : undefined
      history.end(noted, outcome)
      return outcome
    })
  }

  /** Records responses that contain another merchant's data, or a server error. */
  function watch(client: Client, op: string, { status, text }: ApiResponse): void {
    const other = client.shop === 'first' ? MARK.second : MARK.first
    if (text.includes(other))
      lab.unexpectedResponses.push(`I13 ${op} of ${client.name} answered ${other}`)
    if (status >= 500 && !from.databaseFails) {
      lab.unexpectedResponses.push(
        `500 ${op} of ${client.name} was answered ${status}: ${text.slice(0, 200)}`,
      )
    }
  }

  function newClient(name: string, shop: MerchantName, random: Random): Client {
    const client: Client = {
      name,
      shop,
      random,
      send: (request) => send(client, request),
      async insist(request) {
        // A payer's page has a key of its own for one press of the button.
        const id = request.key ?? String(request.about?.['attempt'])
        for (let tries = 0; tries < 4; tries += 1) {
          const response = await client.send(request)
          if (response && response.status !== 409) {
            lab.open.delete(id)
            return response
          }
          lab.open.set(id, { client, request })
          if (gate.isOver() || random.chance(0.4)) return undefined
        }
        return undefined
      },
    }
    return client
  }

  return lab
}

function createCounters(): CrashRun['countUp'] {
  const counters = new Map<string, number>()
  return (name) => {
    const next = (counters.get(name) ?? 0) + 1
    counters.set(name, next)
    return next
  }
}

function createGate(): Gate {
  let opened = Promise.withResolvers<void>()
  opened.resolve()
  const calls = new Set<Promise<unknown>>()
  let over = false
  return {
    async pass(call) {
      // It may have closed again before a waiting call continues.
      let entered
      do {
        entered = opened
        await entered.promise
      } while (entered !== opened)
      const running = call()
      calls.add(running)
      try {
        return await running
      } finally {
        calls.delete(running)
      }
    },
    open: () => opened.resolve(),
    async close() {
      opened = Promise.withResolvers()
      await Promise.allSettled(calls)
    },
    isOver: () => over,
    end() {
      over = true
    },
  }
}
