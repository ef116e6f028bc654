import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createCheckstand } from '../../server/index.ts'
import { createInstance } from '../../server/admin/create-instance.ts'
import { createLog } from '../../server/observe/log.ts'
import { planOf, recordStatements } from '../../test/statement-recorder.ts'
import { sql } from 'kysely'
import { fillAccounts } from './seed-accounts.ts'

/**
 * One server with many accounts, in a process of its own: `node lists-server.ts <DATABASE_URL>`.
 * The first instance has most of them; the others have the same keys, so that a list which forgot
 * whose data it reads would be slow and wrong.
 */

/** The server's message to the bench over the process channel. */
export interface Ready {
  url: string
  authorization: string
  filledMs: number
}

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 100_000)
const OTHERS = 4
const KEY = 'sk_test_bench_4f9c21d07ab83e65c1f2970d8be4a3f6'

const checkstand = await createCheckstand({
  config: readConfig({ DATABASE_URL: process.argv[2], API_RATE: '0' }),
  log: createLog('silent'),
})
const { deps, parts, database } = checkstand

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
  instances.map(({ id }, at) => fillAccounts(deps.db, id, at === 0 ? ACCOUNTS : ACCOUNTS / 10)),
)
// What PostgreSQL does by itself within a minute of quiet.
if (database.kind === 'postgres') await sql`vacuum analyze accounts`.execute(deps.db)
const filledMs = performance.now() - began

const recorded = recordStatements(deps)
const { app } = createApp({ ...deps, db: recorded.db, listReads: recorded.lists }, parts)
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

// Any message requests the plans of the statements since the last one, each once.
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
