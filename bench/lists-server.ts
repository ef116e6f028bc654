import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { formatInstant } from '../shared/rules/time.ts'
import { foldedColumns } from '../server/accounts/store.ts'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import type { Db } from '../server/db/tables.ts'
import { newId } from '../server/ids.ts'
import { createCheckstand } from '../server/index.ts'
import { createInstance } from '../server/instances/create.ts'
import { createLog } from '../server/observe/log.ts'
import { planOf, recordStatements } from '../server/testing/statements.ts'
import { sql } from 'kysely'

/**
 * One server with many accounts, in a process of its own: `node lists-server.ts <DATABASE_URL>`.
 * The first instance has most of them; the others have the same keys, so that a list which forgot
 * whose data it reads would be slow and wrong.
 */

/** What the server tells the bench through the process channel. */
export interface Ready {
  url: string
  authorization: string
  filledMs: number
}

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 100_000)
const OTHERS = 4
const BATCH = 500
const KEY = 'sk_test_bench_0123456789'
const BEGAN = Date.parse('2030-01-01T00:00:00.000Z')

const checkstand = await createCheckstand({
  config: readConfig({ DATABASE_URL: process.argv[2], API_RATE: '0' }),
  log: createLog('silent'),
})
const { deps, database } = checkstand

/** The nth account: one is made a minute, and every hundredth has the tag that is looked for. */
function account(instanceId: string, n: number) {
  const at = BEGAN + n * 60_000
  const created = formatInstant(at)
  const crm_key = `CRM-${String(n).padStart(7, '0')}`
  const email = `Person.${n}@example.com`
  const row = {
    id: newId('acc', at),
    instance_id: instanceId,
    crm_key,
    first_name: `First ${n % 997}`,
    last_name: `Last ${n % 4999}`,
    company: `Company ${n % 1999}`,
    email,
    phone: `+44 20 ${n}`,
    address: JSON.stringify({ line1: `${n} High Street`, line4: 'London', country: 'GB' }),
    metadata: JSON.stringify({ tier: n % 3 === 0 ? 'gold' : 'silver' }),
    tags: n % 100 === 0 ? 'newsletter,Wholesale' : 'newsletter',
    locale: 'en-GB',
    timezone: null,
    channel: 'web',
    division: null,
    crm: null,
    status: 'ACTIVE' as const,
    last_transacted: null,
    last_transaction_id: null,
    created_session: null,
    updated_session: null,
    created,
    updated: created,
    v: 1,
  }
  return { ...row, ...foldedColumns(row) }
}

async function fill(db: Db, instanceId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - n) }, (_, i) =>
      account(instanceId, n + i),
    )
    await db.insertInto('accounts').values(batch).execute()
  }
}

const began = performance.now()
const { instance } = await createInstance(deps, {
  merchant: 'Bench',
  key: 'default',
  name: 'Bench',
  secretKey: KEY,
})
const instances = [instance]
for (let n = 0; n < OTHERS; n += 1) {
  const other = { merchant: `Other ${n}`, key: 'default', name: 'Other' }
  instances.push((await createInstance(deps, other)).instance)
}
await Promise.all(
  instances.map(({ id }, at) => fill(deps.db, id, at === 0 ? ACCOUNTS : ACCOUNTS / 10)),
)
// What PostgreSQL does by itself within a minute of quiet.
if (database.kind === 'postgres') await sql`vacuum analyze accounts`.execute(deps.db)
const filledMs = performance.now() - began

const recorded = recordStatements(deps)
const { app } = createApp({ ...deps, db: recorded.db, lists: recorded.lists })
const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
const server = createServer((request, response) => void listener(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.send?.({
    url: `http://127.0.0.1:${port}/c/api/instances/default/accounts`,
    authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`,
    filledMs,
  } satisfies Ready)
})

// Any message asks how the statements ran that came since the last one, each of them once.
process.on('message', () => void tellPlans())
process.on('disconnect', () => void checkstand.close().then(() => process.exit(0)))

async function tellPlans(): Promise<void> {
  const statements = new Map(recorded.take().map((statement) => [statement.sql, statement]))
  const plans: string[][] = []
  for (const statement of statements.values()) {
    if (!statement.sql.includes('from "accounts"')) continue
    plans.push(await database.reads.read((db) => planOf(db, database.kind, statement)))
  }
  process.send?.(plans)
}
