import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { createCheckstand } from '../server/index.ts'
import { createInstance } from '../server/instances/create.ts'
import { createLog } from '../server/observe/log.ts'
import { cannedDatabase } from './canned-database.ts'

/**
 * One server to be measured, in a process of its own. The mode says what stands behind the same
 * handlers: the real database, one commit per request, no database, or nothing but Hono.
 */

export type Mode = 'group' | 'single' | 'none' | 'hello'

/** What the server tells the bench through the process channel. */
export interface Ready {
  url: string
  authorization: string
}

const KEY = 'sk_test_bench_0123456789'
const mode = process.argv[2] as Mode
const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))

const checkstand = await createCheckstand({
  config: readConfig({ DATABASE_URL: `file:${folder}/bench.db` }),
  log: createLog('silent'),
  groupCommit: mode !== 'single',
})
const { instance } = await createInstance(checkstand.deps, {
  merchant: 'Bench',
  key: 'default',
  name: 'Bench',
  secretKey: KEY,
})

function fetcher(): (request: Request) => Response | Promise<Response> {
  if (mode === 'hello') return new Hono().post('*', (c) => c.text('hello')).fetch
  if (mode === 'none') {
    return createApp({ ...checkstand.deps, db: cannedDatabase(instance) }).app.fetch
  }
  return checkstand.fetch
}

const listener = getRequestListener(fetcher(), { overrideGlobalObjects: false })
const server = createServer((request, response) => void listener(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.send?.({
    url: `http://127.0.0.1:${port}/c/api/instances/default/payment_links`,
    authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`,
  } satisfies Ready)
})

// Any message asks for the counters; the channel's end is the end.
process.on('message', () => process.send?.(checkstand.database.stats()))
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
