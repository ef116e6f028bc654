import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openCheckout } from '../../server/checkouts/open-session.ts'
import { createLink } from '../../server/payment-links/create.ts'
import { getBundle, createBundle } from '../../server/strings/bundle.ts'
import { resolveAll, type StringLookup } from '../../shared/rules/inherit.ts'
import { stringLayers } from '../../server/strings/resolve.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import { newInstance, openCheckstand } from './merchant.ts'

/**
 * What wording costs: resolving a bundle through all six layers, cold and from memory; sessions
 * opened per second on warm wording; and what 100 000 of them add to the database.
 */

const SESSIONS = Number(process.env['SESSIONS'] ?? 100_000)
const TOGETHER = 64

const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
const file = join(folder, 'bench.db')
const checkstand = await openCheckstand({ DATABASE_URL: `file:${file}` })
const { deps } = checkstand
const { instance } = await newInstance(checkstand)

function perSecond(times: number, startedAt: number): number {
  return (times / (performance.now() - startedAt)) * 1000
}

/** Six layers of three hundred ids, no layer empty. */
function sixLayers(): StringLookup {
  const ids = Array.from({ length: 300 }, (_, i) => `checkout.sentence_${i}`)
  const layer = (every: number, word: string): Strings =>
    Object.fromEntries(
      ids.filter((_, i) => i % every === 0).map((id) => [id, `${word} says {amount}`]),
    )
  const rows = new Map([
    ['kids/fr', layer(7, 'branding')],
    ['/fr', layer(5, 'instance')],
    ['kids/default', layer(3, 'branding base')],
    ['/default', layer(1, 'instance base')],
  ])
  return ({ branding, language }) => rows.get(`${branding}/${language}`)
}

const rows = sixLayers()
const scope = { branding: 'kids', language: 'fr' }
const COLD = 5000
let started = performance.now()
for (let i = 0; i < COLD; i += 1) createBundle('fr', resolveAll(stringLayers(scope, rows)))
const cold = 1e6 / perSecond(COLD, started)

await getBundle(deps, instance, { branding: '', language: 'default' })
const WARM = 200_000
started = performance.now()
for (let i = 0; i < WARM; i += 1)
  await getBundle(deps, instance, { branding: '', language: 'default' })
const warm = 1e6 / perSecond(WARM, started)

const link = await createLink(deps, instance, { options: { amount: '24.00' } })
const open = () => openCheckout(deps, { paymentLink: link.id }, {}, {})
await open()

/** The size of the database file itself, once the write-ahead log is back in it. */
function fileBytes(): number {
  const other = new Database(file)
  other.pragma('wal_checkpoint(TRUNCATE)')
  other.close()
  return statSync(file).size
}

const before = fileBytes()
started = performance.now()
for (let i = 0; i < SESSIONS; i += TOGETHER) {
  await Promise.all(Array.from({ length: Math.min(TOGETHER, SESSIONS - i) }, open))
}
const opens = perSecond(SESSIONS, started)
const bytes = (fileBytes() - before) / SESSIONS

console.log('\nWording')
console.table({
  'bundle of 300 ids, six layers, cold (µs)': Number(cold.toFixed(1)),
  'bundle from memory (µs)': Number(warm.toFixed(2)),
  'sessions opened per second, 64 at once, no HTTP': Math.round(opens),
  [`bytes that each of ${SESSIONS} sessions adds`]: Math.round(bytes),
})

await checkstand.close()
rmSync(folder, { recursive: true, force: true })
