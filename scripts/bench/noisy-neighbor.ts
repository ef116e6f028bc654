import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { basic } from '../../test/client.ts'
import { startPostgres } from '../../test/postgres.ts'
import { startProgram } from '../../test/program.ts'
import { openReceiver } from '../../test/webhook-receiver.ts'
import { API, newInstance, openCheckstand, UNLIMITED } from './merchant.ts'
import { percentile } from './percentile.ts'
import { fillAccounts } from './seed-accounts.ts'

/**
 * What one merchant, or one payer, can take from the others while they do their worst: another
 * merchant's reads are timed while the server is idle and while it is attacked. `SCENARIOS` names
 * which attacks are made, `SECONDS` how long each of them is measured.
 */

const SECONDS = Number(process.env['SECONDS'] ?? 5)
const WANTED = (process.env['SCENARIOS'] ?? 'lists,slow-senders,slow-readers,webhooks').split(',')
/** The promises, in milliseconds. */
const READ_P99_MS = 250
const FIRST_TRY_MS = 250
const OTHERS_DELIVERY_MS = 5000

const ATTACKERS = 16
/** More than REQUESTS_MAX, which is 2000 unless it is set. */
const SLOW_SENDERS = 2200
const EVENTS = 200

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 50_000)

/** Calls the API, such as `/accounts`, with the key of one merchant. */
type Merchant = (path: string, body?: unknown) => Promise<{ status: number; text: string }>

/** The first attacks the others with all that it has. */
type Merchants = [Merchant, Merchant, Merchant]

/** Begins an attack. The returned function ends it. */
type Attack = (merchants: Merchants, origin: string) => Promise<() => Promise<void>>

function callsOf(origin: string, secretKey: string): Merchant {
  return async (path, body) => {
    const response = await fetch(origin + API + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: basic(`${secretKey}:`), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
}

/** Five conditions that read every account, in an order that no index has, a thousand at a time. */
const lists: Attack = async ([attacker]) => {
  const ending = new AbortController()
  const answers = new Map<number, number>()
  const fields = ['tags', 'first_name', 'last_name', 'company', 'email']
  const worst = new URLSearchParams({
    criteria: fields.map((name) => `${name}~=e`).join(),
    order: 'company,last_name:desc',
    limit: '1000',
    offset: '4000',
    expand: 'last_transaction,created_session,updated_session',
  })
  const clients = Array.from({ length: ATTACKERS }, async () => {
    while (!ending.signal.aborted) {
      const { status } = await attacker(`/accounts?${worst.toString()}`)
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  })
  return async () => {
    ending.abort()
    await Promise.all(clients)
    console.log('the attacker was answered', Object.fromEntries(answers))
  }
}

/** Half of a POST on each of more connections than requests are taken at once. */
const slowSenders: Attack = (_merchants, origin) =>
  openSockets(origin, SLOW_SENDERS, (socket) => {
    socket.resume()
    socket.write(
      'POST /pay/pl_1_a/checkouts HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
        'Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
    )
  })

/** Many requests on each of a few connections, whose answers are never read. */
const slowReaders: Attack = (_merchants, origin) =>
  openSockets(origin, 10, (socket) => {
    socket.pause()
    socket.write('GET /widget.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000))
  })

async function openSockets(origin: string, count: number, begin: (socket: Socket) => void) {
  const { hostname, port } = new URL(origin)
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    begin(socket)
    return socket
  })
  await sleep(500)
  return async () => {
    for (const socket of sockets) socket.destroy()
  }
}

interface Measured {
  p50: number
  p99: number
  refused: number
}

/** One merchant's requests, one after the other: a record, a list, and a new record. */
async function timeReads(merchant: Merchant): Promise<Measured> {
  const { accounts } = JSON.parse((await merchant('/accounts')).text || '{}') as {
    accounts?: { id: string }[]
  }
  const requests = [
    () => merchant(`/accounts/${accounts?.[0]?.id ?? 'unknown'}`),
    () => merchant('/accounts?limit=20'),
    (n: number) => merchant('/accounts', account(n)),
  ] as const
  const times: number[] = []
  let refused = 0
  const ends = performance.now() + SECONDS * 1000
  for (let n = 0; performance.now() < ends; n += 1) {
    const began = performance.now()
    const { status } = await requests[(n % 3) as 0 | 1 | 2](n).catch(() => ({ status: 0 }))
    if (status !== 200) refused += 1
    if (n % 3 < 2) times.push(performance.now() - began)
    await sleep(5)
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), refused }
}

async function readsUnder(attack: Attack, merchants: Merchants, origin: string): Promise<Row[]> {
  const other = merchants[1]
  const idle = await timeReads(other)
  const end = await attack(merchants, origin)
  const attacked = await timeReads(other)
  await end()
  return [
    row("another's GET, p50", idle.p50, attacked.p50),
    row("another's GET, p99", idle.p99, attacked.p99, READ_P99_MS),
    row("another's requests refused", idle.refused, attacked.refused, 0),
  ]
}

/** A receiver of webhooks; `holds` keeps every connection open without an answer. */
async function receiver(holds: boolean) {
  const arrived = new Map<string, number>()
  const { url, answer, close } = await openReceiver()
  answer((response, { body }) => {
    const key = /key-\d+/.exec(body)?.[0] ?? ''
    if (!arrived.has(key)) arrived.set(key, performance.now())
    if (!holds) response.writeHead(204).end()
  })
  return { url, arrived, close }
}

const account = (n: number) => ({ account: { crm_key: `key-${n}` } })
const webhookBody = (url: string) => ({ instance_webhook: { url, events: ['account.created'] } })

/** Milliseconds from the answer to a change until its event reaches the merchant's receiver. */
async function timeDelivery(
  merchant: Merchant,
  { arrived }: { arrived: Map<string, number> },
  n: number,
): Promise<number> {
  await merchant('/accounts', account(n))
  const committed = performance.now()
  while (!arrived.has(`key-${n}`)) {
    if (performance.now() - committed > 4 * OTHERS_DELIVERY_MS) return Infinity
    await sleep(2)
  }
  return Math.max(0, (arrived.get(`key-${n}`) ?? 0) - committed)
}

/** Two merchants have receivers that never answer, and much to tell them. */
async function webhooks([first, second, third]: Merchants): Promise<Row[]> {
  const prompt = await receiver(false)
  const held = [await receiver(true), await receiver(true)]
  await third('/instance_webhooks', webhookBody(prompt.url))
  const idle: number[] = []
  for (let n = 0; n < 20; n += 1) idle.push(await timeDelivery(third, prompt, n))
  for (const [at, merchant] of [first, second].entries()) {
    await merchant('/instance_webhooks', webhookBody(held[at]?.url ?? ''))
    for (let n = 0; n < EVENTS; n += 1) await merchant('/accounts', account(100_000 + n))
  }
  const attacked: number[] = []
  for (let n = 100; n < 105; n += 1) attacked.push(await timeDelivery(third, prompt, n))
  for (const each of [prompt, ...held]) each.close()
  return [
    row('first try of a delivery, slowest', percentile(idle, 0.5), Math.max(...idle), FIRST_TRY_MS),
    row(
      "a third's delivery, slowest",
      percentile(idle, 0.5),
      Math.max(...attacked),
      OTHERS_DELIVERY_MS,
    ),
  ]
}

interface Row {
  what: string
  idle: number
  attacked: number
  ratio: number
  target: string
  met: string
}

function row(what: string, idle: number, attacked: number, most?: number): Row {
  const round = (ms: number) => Number(ms.toFixed(1))
  return {
    what,
    idle: round(idle),
    attacked: round(attacked),
    ratio: round(attacked / idle),
    target: most === undefined ? '' : `≤ ${most}`,
    met: most === undefined ? '' : attacked <= most ? 'yes' : 'NO',
  }
}

const SCENARIOS: Record<string, (merchants: Merchants, origin: string) => Promise<Row[]>> = {
  lists: (merchants, origin) => readsUnder(lists, merchants, origin),
  'slow-readers': (merchants, origin) => readsUnder(slowReaders, merchants, origin),
  'slow-senders': (merchants, origin) => readsUnder(slowSenders, merchants, origin),
  webhooks,
}

/** Starts the program with a few merchants, of which the first has many accounts. */
async function start(databaseUrl: string) {
  const checkstand = await openCheckstand({ DATABASE_URL: databaseUrl })
  const keys: string[] = []
  for (const [n, accounts] of [ACCOUNTS, 100, 100].entries()) {
    const { instance, secretKey } = await newInstance(checkstand, n)
    await fillAccounts(checkstand.deps.db, instance.id, accounts)
    keys.push(secretKey)
  }
  await checkstand.close()
  const program = await startProgram(databaseUrl, { ...UNLIMITED, LOG_LEVEL: 'silent' })
  return { program, merchants: keys.map((key) => callsOf(program.base, key)) as Merchants }
}

async function measure(name: string, database: string, databaseUrl: string): Promise<void> {
  const scenario = SCENARIOS[name]
  if (!scenario) throw new Error(`there is no scenario ${name}`)
  const { program, merchants } = await start(databaseUrl)
  console.log(`\n${name} on ${database} (milliseconds)`)
  console.table(await scenario(merchants, program.base))
  program.process.kill()
  await program.ended
}

const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
for (const name of WANTED) await measure(name, 'SQLite', `file:${folder}/${name}.db`)
rmSync(folder, { recursive: true, force: true })

for (const name of process.env['POSTGRES'] === '0' ? [] : WANTED) {
  const postgres = await startPostgres()
  await measure(name, 'PostgreSQL', postgres.adminUrl)
  await postgres.stop()
}
