import { type CompiledQuery, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatInstant } from '../shared/rules/time.ts'
import { insertAccount } from '../server/accounts/store.ts'
import { createApp } from '../server/app.ts'
import { newId } from '../server/ids.ts'
import { basic, startTestApp } from './app.ts'
import { planOf, recordStatements } from './statement-recorder.ts'

/**
 * How a database runs the lists: what an index can find is found by it, and what an index has in
 * order is not sorted again. Without this a harmless change of an expression makes lists a hundred
 * times slower, and no other test would notice.
 */

const app = await startTestApp()
const { deps, parts, database } = app.checkstand
const recorded = recordStatements(deps)
const { app: watched } = createApp({ ...deps, db: recorded.db, listReads: recorded.lists }, parts)
const { instance, secretKey } = app.merchant

const ACCOUNTS = 1000

beforeAll(async () => {
  const others = await app.newMerchant()
  await deps.db.transaction().execute(async (tx) => {
    for (let n = 0; n < ACCOUNTS; n += 1) {
      const at = app.now() + n * 60_000
      const id = newId('acc', at)
      const created = formatInstant(at)
      await insertAccount(tx, {
        ...NO_DETAILS,
        id,
        // Every tenth belongs to another instance.
        instance_id: n % 10 === 0 ? others.instance.id : instance.id,
        crm_key: `key-${n}`,
        email: `${n}@example.com`,
        created,
        updated: created,
      })
    }
  })
  // PostgreSQL goes by what it has counted, and would count by itself only later.
  if (database.kind === 'postgres') await sql`analyze accounts`.execute(deps.db)
})

const NO_DETAILS = {
  first_name: null,
  last_name: null,
  company: null,
  phone: null,
  address: null,
  metadata: '{}',
  tags: null,
  locale: null,
  timezone: null,
  channel: null,
  division: null,
  crm: null,
  status: 'ACTIVE' as const,
  anonymised: null,
  erasing: null,
  mail_notices: 1,
  last_transacted: null,
  last_transaction_id: null,
  created_session: null,
  updated_session: null,
  v: 1,
}

/** The plans of the statements that a list sends to find its rows and to count them. */
async function plansOf(path: string, table: string): Promise<string[]> {
  recorded.take()
  const response = await watched.fetch(
    new Request(`http://shop.test/c/api/instances/${instance.key}${path}`, {
      headers: { authorization: basic(`${secretKey}:`) },
    }),
  )
  expect(response.status, await response.clone().text()).toBe(200)
  const statements = recorded.take().filter((each) => each.sql.includes(`from "${table}"`))
  expect(statements.length).toBeGreaterThan(0)
  return Promise.all(statements.map(explained))
}

/** The plan as PostgreSQL makes it for many rows: of few, it would sooner read them all. */
async function explained(statement: CompiledQuery): Promise<string> {
  if (database.kind === 'sqlite') {
    return database.reads.read(async (db) => (await planOf(db, 'sqlite', statement)).join('\n'))
  }
  return deps.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    return (await planOf(tx, 'postgres', statement)).join('\n')
  })
}

const SORT = /TEMP B-TREE|\bSort\b/

/** The names of the indexes that a plan looks into, and the columns by which it does. */
function lookUp(plan: string): { index: string; by: string } {
  const sqlite = /USING (?:COVERING )?INDEX (\w+) \((.*)\)/.exec(plan)
  const postgres = /using (\w+) on \w+[^]*?Index Cond: \((.*)\)/.exec(plan)
  return { index: (sqlite ?? postgres)?.[1] ?? plan, by: (sqlite ?? postgres)?.[2] ?? '' }
}

const PRIMARY = database.kind === 'sqlite' ? 'sqlite_autoindex_accounts_1' : 'accounts_pkey'

describe('a list of accounts is found by an index', () => {
  const day = `created>=${formatInstant(app.now())},created<${formatInstant(app.now() + 600_000)}`
  it.each([
    ['crm_key=KEY-7', 'accounts_crm_key_folded', ['instance_id', 'crm_key_folded']],
    ['crm_key=key-7;key-8', 'accounts_crm_key_folded', ['instance_id', 'crm_key_folded']],
    ['crm_key=nobody', 'accounts_crm_key_folded', ['instance_id', 'crm_key_folded']],
    ['email=7@EXAMPLE.com', 'accounts_email_folded', ['instance_id', 'email_folded']],
    ['email=7@example.com,tags!', 'accounts_email_folded', ['instance_id', 'email_folded']],
    ['id=acc_1_a', PRIMARY, ['id']],
    [`id=${Array.from({ length: 5 }, (_, n) => `acc_${n}_a`).join(';')}`, PRIMARY, ['id']],
    [day, 'accounts_created', ['instance_id', 'created']],
    ['', 'accounts_created', ['instance_id']],
  ])('%s', async (criteria, index, columns) => {
    const query = new URLSearchParams({ criteria, limit: '1' }).toString()
    const [rows = ''] = await plansOf(`/accounts?${query}`, 'accounts')
    const found = lookUp(rows)
    expect(found.index).toBe(index)
    for (const column of columns) expect(found.by).toContain(column)
  })

  it('and counted by it', async () => {
    const query = new URLSearchParams({ criteria: 'crm_key=key-7;key-8', limit: '1' }).toString()
    const [, counted = ''] = await plansOf(`/accounts?${query}`, 'accounts')
    expect(lookUp(counted).index).toBe('accounts_crm_key_folded')
  })

  it.each(['crm_key=key-7', 'email=7@example.com', day, ''])(
    'and not sorted again: %s',
    async (criteria) => {
      for (const order of ['created:desc', 'created', 'created:desc,id:desc']) {
        const query = new URLSearchParams({ criteria, order }).toString()
        const [rows = ''] = await plansOf(`/accounts?${query}`, 'accounts')
        expect(rows, order).not.toMatch(SORT)
      }
    },
  )
})

describe('every list', () => {
  it.each([
    ['/accounts', 'accounts'],
    ['/captures', 'payments'],
    ['/charges', 'charges'],
    ['/checkouts', 'checkouts'],
    ['/contracts', 'contracts'],
    ['/deep_links', 'deep_links'],
    ['/payment_links', 'payment_links'],
    ['/payment_methods', 'payment_methods'],
    ['/payments', 'payments'],
    ['/refunds', 'refunds'],
    ['/reversals', 'reversals'],
    ['/voids', 'voids'],
  ])('reads its usual order from an index: %s', async (path, table) => {
    const [rows = ''] = await plansOf(path, table)
    expect(rows).toContain(`${table}_created`)
  })

  it.each([
    ['/charges', 'charges'],
    ['/contracts', 'contracts'],
    ['/payments', 'payments'],
  ])('that has alternate keys finds them by an index: %s', async (path, table) => {
    const [rows = ''] = await plansOf(`${path}?criteria=alt_key=ORDER-7`, table)
    expect(lookUp(rows).index).toBe(`${table}_alt_key`)
  })
})
