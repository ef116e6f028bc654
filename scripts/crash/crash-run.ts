import { createHistory, type History, type Json } from './history.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from '../../test/random.ts'
import { basic, type Servers } from './servers.ts'
import { MARK, type MerchantName, SECRET_KEYS } from './merchants.ts'

/** What all clients of a crash run share: where the servers are, and the list of what happened. */

/** Something was asked of the server, and may have to be asked again. */
export interface ClientRequest {
  op: string
  path: string
  method?: string
  body?: Json
  headers?: Record<string, string>
  /** Makes it one request however often it is sent. */
  key?: string
  /** Not a call of the shop's own API: no key of the shop goes with it. */
  isOpen?: boolean
  about?: Record<string, Json>
}

export interface ClientResponse {
  status: number
  json: Json
  headers: Headers
}

export interface Client {
  name: string
  shop: MerchantName
  random: Random
  /** Resolves with undefined without a response; the request may have been processed or not. */
  send: (asking: ClientRequest) => Promise<ClientResponse | undefined>
  /** Repeats the request until a response comes, or leaves that to the end of the run. */
  insist: (asking: ClientRequest) => Promise<ClientResponse | undefined>
}

export interface CrashRun {
  history: History
  ledger: Ledger
  servers: Servers
  /** Requests without a response, with their clients. */
  open: Map<string, { client: Client; asking: ClientRequest }>
  /** Links that several clients edit at the same time. */
  links: Record<MerchantName, string[]>
  /** Of the browser in which the first shop's user is signed in. */
  cookies: Map<string, string>
  /** 1, 2, 3 and so on, for each name. */
  countUp: (name: string) => number
  /** Responses that no client should ever receive. */
  unexpectedResponses: string[]
  /** Closed while servers are away and while the invariants are looked at. */
  gate: Gate
  newClient: (name: string, shop: MerchantName, random: Random) => Client
}

export interface Gate {
  /** Resolves when it is open, with what is to be called when the call has ended. */
  enter: () => Promise<() => void>
  open: () => void
  /** Resolves when every call that had begun has ended. */
  close: () => Promise<void>
  /** False once no client is to begin anything any more. */
  isOver: () => boolean
  end: () => void
}

const PATIENCE_MS = 30_000

export function createCrashRun(from: {
  historyFile: string
  ledger: Ledger
  servers: Servers
  /** Whether a 5xx can be the database's fault, and so leaves the outcome unknown. */
  databaseFails: boolean
}): CrashRun {
  const history = createHistory(from.historyFile)
  const gate = createGate()
  const lab: CrashRun = {
    history,
    gate,
    ledger: from.ledger,
    servers: from.servers,
    open: new Map(),
    links: { first: [], second: [] },
    cookies: new Map(),
    countUp: createCounters(),
    unexpectedResponses: [],
    newClient,
  }

  async function send(client: Client, asking: ClientRequest): Promise<ClientResponse | undefined> {
    const leave = await gate.enter()
    const { op, key, about } = asking
    const noted = history.begin({
      client: client.name,
      shop: client.shop,
      op,
      ...(key !== undefined && { key }),
      ...(about && { about }),
    })
    try {
      const base = client.random.pick(from.servers.bases())
      const response = await fetch(base + pathOf(asking), requestOf(client, asking))
      const text = await response.text()
      const { status, headers } = response
      watch(client, op, status, text)
      const json = headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
      if (status < 500) history.end(noted, { status, json })
      else history.end(noted)
      return status < 500 ? { status, json, headers } : undefined
    } catch {
      history.end(noted)
      return undefined
    } finally {
      leave()
    }
  }

  /** Records responses that contain another merchant's data, or a server error. */
  function watch(client: Client, op: string, status: number, text: string): void {
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
      send: (asking) => send(client, asking),
      async insist(asking) {
        // A payer's page has a key of its own for one press of the button.
        const id = asking.key ?? String(asking.about?.['attempt'])
        for (let tries = 0; tries < 4; tries += 1) {
          const response = await client.send(asking)
          if (response && response.status !== 409) {
            lab.open.delete(id)
            return response
          }
          lab.open.set(id, { client, asking })
          if (gate.isOver() || random.chance(0.4)) return undefined
        }
        return undefined
      },
    }
    return client
  }

  return lab
}

function pathOf({ path, isOpen }: ClientRequest): string {
  return isOpen ? path : `/c/api/instances/default${path}`
}

function requestOf({ shop }: Client, asking: ClientRequest): RequestInit {
  const { body, key, isOpen, method = body === undefined ? 'GET' : 'POST' } = asking
  const isForm = body instanceof URLSearchParams
  return {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(!isOpen && { authorization: basic(`${SECRET_KEYS[shop]}:`) }),
      ...asking.headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  }
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
  let closed: Promise<void> | undefined
  let release = () => {}
  let under = 0
  let quiet = () => {}
  let over = false
  return {
    async enter() {
      // oxlint-disable-next-line no-unmodified-loop-condition -- others close and open it meanwhile
      while (closed) await closed
      under += 1
      return () => {
        under -= 1
        if (under === 0) quiet()
      }
    },
    open() {
      closed = undefined
      release()
    },
    async close() {
      closed ??= new Promise((resolve) => (release = resolve))
      if (under > 0) await new Promise<void>((resolve) => (quiet = resolve))
    },
    isOver: () => over,
    end() {
      over = true
    },
  }
}
