import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_FILTERS } from '../accounts/filters.ts'
import { CHARGE_FILTERS } from '../charges/filters.ts'
import { checkoutFilters } from '../checkouts/filters.ts'
import { CONTRACT_FILTERS } from '../contracts/filters.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import type { Tables } from '../db/tables.ts'
import { EVENT_FILTERS } from '../events/filters.ts'
import { paymentLinkFilters } from '../payment-links/filters.ts'
import { paymentMethodFilters } from '../payment-methods/filters.ts'
import {
  CAPTURE_FILTERS,
  PAYMENT_FILTERS,
  REFUND_FILTERS,
  VOID_FILTERS,
} from '../payments/filters.ts'
import { startTestApp } from '../../test/app.ts'
import { openEmptyDatabase } from '../../test/database.ts'
import { seedAll } from '../../test/seed-all.ts'
import { DELIVERY_FILTERS, WEBHOOK_FILTERS } from '../webhooks/filters.ts'
import type { Field, Fields } from './fields.ts'
import { foldText, foldedText } from '../db/fold-text.ts'

/** What a list may be filtered by is stored in the form in which it is compared. */

const ALL: Fields[] = [
  ACCOUNT_FILTERS,
  CHARGE_FILTERS,
  checkoutFilters(0),
  CONTRACT_FILTERS,
  EVENT_FILTERS,
  paymentLinkFilters(0),
  paymentMethodFilters(0),
  PAYMENT_FILTERS,
  CAPTURE_FILTERS,
  REFUND_FILTERS,
  VOID_FILTERS,
  WEBHOOK_FILTERS,
  DELIVERY_FILTERS,
]
const fields = ALL.flatMap((each) => Object.values(each))
const texts = fields.flatMap((field) =>
  field.type === 'text' && typeof field.column === 'string' ? [field] : [],
)

/** The table and column of a field that is one. */
function placeOf({ column }: Field): { table: string; column: string } | undefined {
  if (typeof column !== 'string') return undefined
  const [table = '', name = ''] = column.split('.')
  return { table, column: name }
}

const app = await startTestApp()
const { api } = app.merchant
const { deps } = app.checkstand

async function columnsOf(db: Kysely<never>, field: Field) {
  const { table, column } = placeOf(field) ?? { table: '', column: '' }
  const lower = field.type === 'text' ? field.lower : undefined
  const { rows } = await sql<{ text: string | null; lower: string | null }>`
    select ${sql.ref(column)} as text, ${lower ? sql.ref(lower) : sql`null`} as lower
    from ${sql.table(table)}`.execute(db)
  return rows
}

describe('every text field of a list', () => {
  it('has a folded column or is ASCII', async () => {
    await seedAll(app, app.merchant)
    const account = { crm_key: 'ÉLODIE', company: 'ΣΊΣΥΦΟΣ', first_name: '', tags: 'İ,Große' }
    const made = await api('/accounts', { body: { account } })
    const { id } = made.json.account
    const change = { last_name: 'ÖZ', company: 'ΌΔΟΣ' }
    expect(
      (await api(`/accounts/${id}`, { method: 'PUT', body: { account: change } })).status,
    ).toBe(200)
    const hook = { url: 'https://shop.example/HOOK', events: ['*'], description: 'ÜBER' }
    const webhook = await api('/instance_webhooks', { body: { instance_webhook: hook } })
    const { id: hookId } = webhook.json.instance_webhook
    await api(`/instance_webhooks/${hookId}`, {
      method: 'PUT',
      body: { instance_webhook: { description: 'ÜBRIG' } },
    })

    let looked = 0
    for (const field of texts) {
      for (const { text, lower } of await columnsOf(deps.db as never, field)) {
        if (field.lower === undefined) expect(text ?? '').toMatch(/^[\x20-\x7e]*$/)
        else expect(lower, field.lower).toBe(foldedText(text))
        looked += 1
      }
    }
    expect(looked).toBeGreaterThan(texts.length)
    for (const criteria of ['crm_key=élodie', 'company~=όδοσ', 'tags~=GROSSE', 'first_name!']) {
      const { json } = await api(`/accounts?${new URLSearchParams({ criteria }).toString()}`)
      const found = json.accounts.map((each: { id: string }) => each.id)
      expect(found.includes(id), criteria).toBe(criteria !== 'tags~=GROSSE')
    }
  })

  it.each(fields.flatMap((field) => (field.type === 'enum' ? [[field.values]] : [])))(
    'is in the same order with and without its case when it is one of %j',
    (values) => {
      const folded = values.map(foldText)
      expect(values.toSorted().map(foldText)).toEqual(folded.toSorted())
    },
  )
})

describe('a database without folded columns', () => {
  it('gets them filled in by the migration, for any number of rows', async () => {
    const { db } = await openEmptyDatabase<Tables>()
    const name = '0015-folded-texts'
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([at]) => at < name)))
    await sql`insert into merchants (id, name, created) values ('m', 'Shop', '2030')`.execute(db)
    await sql`insert into instances (id, merchant_id, key, name, mode, default_currency,
      allowed_origins, link_saved_methods, brandings, strings_version, created, updated, v)
      values ('i', 'm', 'default', 'Shop', 'TEST', 'EUR', '[]', 0, '[]', 0, '2030', '2030', 1)`.execute(
      db,
    )
    const accounts = Array.from(
      { length: 1203 },
      (
        _,
        n,
      ) => sql`(${`acc_${n}_a`}, 'i', ${`KEY ${n}`}, 'k', ${n % 2 === 0 ? `É${n}` : null}, '{}',
        'ACTIVE', '2030', '2030', 1)`,
    )
    await sql`insert into accounts (id, instance_id, crm_key, crm_key_folded, first_name, metadata,
      status, created, updated, v) values ${sql.join(accounts)}`.execute(db)

    expect(await migrate(db)).toContain(name)
    const { rows } = await sql<Record<string, string | null>>`select crm_key, crm_key_lower,
      first_name, first_name_lower, email_lower from accounts`.execute(db)
    expect(rows).toHaveLength(accounts.length)
    for (const row of rows) {
      expect(row['crm_key_lower']).toBe(foldedText(row['crm_key']))
      expect(row['first_name_lower']).toBe(foldedText(row['first_name']))
      expect(row['email_lower']).toBeNull()
    }
  })
})
