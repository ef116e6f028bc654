import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createApp } from '../../server/app.ts'
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
}

const [mode, given] = process.argv.slice(2) as [Mode, string?]
const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
// The payer's page may connect to BASE_URL alone, so the server needs its address before it starts.
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const checkstand = await openCheckstand(
  { BASE_URL: origin, DATABASE_URL: given ?? `file:${folder}/bench.db` },
  { groupCommit: !mode.endsWith('single') },
)
// A full database has its merchant.
const created = mode === 'full' ? undefined : await newInstance(checkstand)

function fetcher(): (request: Request) => Response | Promise<Response> {
  if (mode === 'hello') return new Hono().all('*', (c) => c.text('hello')).fetch
  if (mode === 'none' && created) {
    return createApp({ ...checkstand.deps, db: cannedDatabase(created.instance) }, checkstand.parts)
      .app.fetch
  }
  return checkstand.fetch
}

const listener = getRequestListener(fetcher(), { overrideGlobalObjects: false })
server.on('request', (request, response) => void listener(request, response))
process.send?.({ origin } satisfies Ready)

// Any message requests the counters. The server ends with the channel.
process.on('message', () => {
  const { commits, transactions } = checkstand.database.stats()
  process.send?.({ commits, transactions } satisfies Stats)
})
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
