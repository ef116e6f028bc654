import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { BASE, createCaller, merchantApi } from '../../test/client.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { fileInsights } from '../../server/insights/file.ts'
import { newInstance, openCheckstand } from './merchant.ts'

const CHUNK = 250_000
/** The numbers from the first parameter to before the second. */
const NUMBERS = `with recursive numbers (x) as (
  select ? union all select x + 1 from numbers where x + 1 < ?
)`

/**
 * A database that has been in use for years: as many links as are wanted, and a tenth as many
 * accounts and sessions, all filed for search. Filling it takes minutes and 4 kB for a link, so it is
 * kept for the next bench. Returns its address.
 */
export async function fillDatabase(links: number): Promise<string> {
  const folder = fileURLToPath(new URL('../../dist/bench/', import.meta.url))
  const path = `${folder}links-${links}.db`
  if (existsSync(path)) return `file:${path}`
  mkdirSync(folder, { recursive: true })
  const draft = `${path}.draft`
  for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true })
  console.log(`filling ${path}, once`)
  const models = await makeModels(`file:${draft}`)
  const db = new Database(draft)
  db.pragma('synchronous = off')
  db.pragma('cache_size = -400000')
  const index = db.prepare(`select sql from sqlite_schema where name = 'search_words_record'`)
  const createIndex = index.pluck().get() as string
  db.exec('drop index search_words_record')
  for (const [table, id] of Object.entries(models)) {
    const wanted = table === 'payment_links' ? links : Math.ceil(links / 10)
    copyRows(db, { table, id, wanted })
    copyWords(db, { id, wanted })
  }
  db.exec(createIndex)
  db.close()
  renameSync(draft, path)
  return `file:${path}`
}

/** Makes one record of each kind as the server makes it; the others are its copies. */
async function makeModels(databaseUrl: string): Promise<Record<string, string>> {
  const checkstand = await openCheckstand({ DATABASE_URL: databaseUrl, BASE_URL: BASE })
  const call = createCaller(checkstand)
  const api = merchantApi(call, await newInstance(checkstand))
  const { account } = (
    await api('/accounts', { body: { account: { crm_key: 'c_1', email: 'ada@shop.example' } } })
  ).json
  const options = { amount: '24.00', currency: 'EUR', name: 'Two bags of coffee' }
  const link = await newLink({ api }, options, { state: { cart: 'c_1001' } })
  const { checkout } = await openPayerClient({ call }, link.id)
  await fileInsights(checkstand.deps)
  await checkstand.close()
  return { accounts: account.id, payment_links: link.id, checkouts: checkout.id }
}

/** Copies of a row with ids and times of their own, older than everything that comes after them. */
function copyRows(
  db: Database.Database,
  { table, id, wanted }: { table: string; id: string; wanted: number },
): void {
  const columns = db.pragma(`table_info(${table})`) as { name: string }[]
  const value = (name: string) => {
    if (name === 'id') return copiedId(id)
    if (name === 'created' || name === 'updated') {
      return `strftime('%Y-%m-%dT%H:%M:%fZ', 1400000000 + x * 20, 'unixepoch')`
    }
    if (name === 'token_hash') return `printf('%043d', x)`
    if (name.startsWith('crm_key')) return `'c_' || x`
    if (name === 'status' && table === 'checkouts') return `'ABANDONED'`
    return `t.${name}`
  }
  const copy = db.prepare(
    `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
     ${NUMBERS}
     select ${columns.map(({ name }) => value(name)).join(', ')}
     from numbers, (select * from ${table} where id = ?) t`,
  )
  inChunks(wanted, (from, until) => copy.run(from, until, id))
}

/** The words of a row for each of its copies, in the order of their index. */
function copyWords(db: Database.Database, { id, wanted }: { id: string; wanted: number }): void {
  const words = db.prepare('select word from search_words where record_id = ? order by word')
  const copy = db.prepare(
    `insert into search_words (instance_id, kind, word, record_id)
     ${NUMBERS}
     select t.instance_id, t.kind, t.word, ${copiedId(id)}
     from numbers, (select * from search_words where record_id = ? and word = ?) t`,
  )
  for (const word of words.pluck().all(id)) {
    inChunks(wanted, (from, until) => copy.run(from, until, id, word))
  }
}

function copiedId(id: string): string {
  return `'${id.slice(0, id.indexOf('_') + 1)}' || printf('%08d_%032d', x / 1000, x)`
}

function inChunks(wanted: number, run: (from: number, until: number) => void): void {
  for (let from = 2; from < wanted + 2; from += CHUNK) run(from, Math.min(from + CHUNK, wanted + 2))
}
