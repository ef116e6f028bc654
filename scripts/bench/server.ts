import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createApp } from '../../server/app.ts'
import { setV8Options } from '../../server/cli/v8-options.ts'
import { freePort } from '../../test/program.ts'
import { cannedDatabase } from './canned-database.ts'
import { newInstance, openCheckstand } from './merchant.ts'

/**
 * One server to be measured, in a process of its own. The mode says what stands behind the same
 * handlers: a database of its own, the one whose address follows, none, or nothing but Hono.
 */

export type Mode =
  | 'group'
  | 'single'
  | 'slow group'
  | 'slow single'
  | 'postgres'
  | 'full'
  | 'none'
  | 'hello'

/** The server's message to the bench over the process channel. */
export interface Ready {
  origin: string
}

export interface Stats {
  commits: number
  transactions: number
  /** Of the process, in microseconds. */
  cpu: number
}

const [mode, given] = process.argv.slice(2) as [Mode, string?]
if (mode !== 'hello') setV8Options()
const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const checkstand = await openCheckstand(
  { PORT: String(port), BASE_URL: origin, DATABASE_URL: given ?? `file:${folder}/bench.db` },
  { groupCommit: !mode.endsWith('single') },
)
// A full database has its merchant.
const created = mode === 'full' ? undefined : await newInstance(checkstand)

/** Handlers that have neither a database nor what guards the product's own server. */
function bareHandlers(): Hono['fetch'] | undefined {
  if (mode === 'hello') return new Hono().all('*', (c) => c.text('hello')).fetch
  if (mode !== 'none' || !created) return undefined
  const deps = { ...checkstand.deps, db: cannedDatabase(created.instance) }
  return createApp(deps, checkstand.parts).app.fetch
}

const bare = bareHandlers()
if (bare) await once(serve({ fetch: bare, port, hostname: '127.0.0.1' }), 'listening')
else await checkstand.start()
process.send?.({ origin } satisfies Ready)

// Any message requests the counters. The server ends with the channel.
process.on('message', () => {
  const { commits, transactions } = checkstand.database.stats()
  const { user, system } = process.cpuUsage()
  process.send?.({ commits, transactions, cpu: user + system } satisfies Stats)
})
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
