import { sql } from 'kysely'
import { amountText } from '../../shared/rules/currency.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { SearchKind } from '../../shared/schemas/search.ts'
import type { Db, Tx } from '../db/tables.ts'
import { deepLinkStatus } from '../deep-links/status.ts'
import { linkStatus } from '../payment-links/status.ts'

/** A record as a search shows it, with the texts by which it is found. */
export interface SearchedRecord {
  id: string
  instance_id: string
  kind: SearchKind
  title: string
  detail: string | null
  status: string
  /** Minor units. */
  amount: number | null
  currency: string | null
  created: string
  /** By the name of the member; a record is found by any of their words. */
  texts: Readonly<Record<string, string | null | undefined>>
}

export const KIND_OF_SOURCE = {
  payments: 'payment',
  refunds: 'refund',
  payment_links: 'payment_link',
  deep_links: 'deep_link',
  accounts: 'account',
  charges: 'charge',
  contracts: 'contract',
} as const satisfies Record<string, SearchKind>

export type SearchedSource = keyof typeof KIND_OF_SOURCE

type Read = (db: Db | Tx, ids: readonly string[], now: number) => Promise<SearchedRecord[]>

/** Reads records as searches show them. `now` is epoch milliseconds. */
export const READ_SEARCHED: Readonly<Record<SearchedSource, Read>> = {
  async payments(db, ids) {
    const rows = await db
      .selectFrom('payments')
      .select(['id', 'instance_id', 'status', 'amount', 'currency', 'created', 'description'])
      .select(['alt_key', 'reference', 'gateway_reference'])
      .select((eb) => [
        eb
          .selectFrom('payment_methods')
          .select(sql<string>`coalesce(brand, payment_methods.type) || ' ' || last4`.as('label'))
          .whereRef('payment_methods.id', '=', 'payments.payment_method_id')
          .where('last4', 'is not', null)
          .as('saved'),
        eb
          .selectFrom('attempts')
          .select(
            sql<string>`coalesce(method_brand, method_type) || ' ' || method_last4`.as('label'),
          )
          .whereRef('attempts.payment_id', '=', 'payments.id')
          .where('method_last4', 'is not', null)
          .orderBy('attempts.created', 'desc')
          .limit(1)
          .as('tried'),
      ])
      .where('id', 'in', ids)
      // Captures are found by their authorization.
      .where('type', '!=', 'CAPTURE')
      .execute()
    return rows.map(({ saved, tried, ...row }) => {
      const method = tried ?? saved
      const { alt_key, reference, gateway_reference } = row
      return {
        ...shown(row, 'payment'),
        title: alt_key ?? row.description ?? reference,
        detail: method,
        texts: { last4: method?.split(' ').at(-1), reference, alt_key, gateway_reference },
      }
    })
  },

  async refunds(db, ids) {
    const rows = await db
      .selectFrom('refunds')
      .select(['id', 'instance_id', 'status', 'amount', 'currency', 'created'])
      .select(['reference', 'reason', 'gateway_reference'])
      .where('id', 'in', ids)
      .execute()
    return rows.map((row) => ({
      ...shown(row, 'refund'),
      title: row.reference,
      detail: row.reason,
      texts: { reference: row.reference, gateway_reference: row.gateway_reference },
    }))
  },

  async payment_links(db, ids, now) {
    const rows = await db
      .selectFrom('payment_links')
      .select(['id', 'instance_id', 'status', 'options', 'expires', 'created'])
      .where('id', 'in', ids)
      .execute()
    return rows.map((row) => ofOptions(row, 'payment_link', linkStatus(row, now)))
  },

  async deep_links(db, ids, now) {
    const rows = await db
      .selectFrom('deep_links')
      .select(['id', 'instance_id', 'options', 'slug', 'max_uses', 'uses', 'expires', 'created'])
      .where('id', 'in', ids)
      .execute()
    return rows.map((row) => {
      const found = ofOptions(row, 'deep_link', deepLinkStatus(row, now))
      return { ...found, texts: { ...found.texts, slug: row.slug } }
    })
  },

  async accounts(db, ids) {
    const rows = await db
      .selectFrom('accounts')
      .select(['id', 'instance_id', 'status', 'created', 'crm_key', 'email', 'company'])
      .select(['first_name', 'last_name'])
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ crm_key, email, company, first_name, last_name, ...row }) => {
      const name = [first_name, last_name].filter((part) => part).join(' ') || null
      return {
        ...shown({ ...row, amount: null, currency: null }, 'account'),
        title: name ?? company ?? email ?? crm_key,
        detail: email,
        texts: { name, email, company, crm_key: crm_key === row.id ? null : crm_key },
      }
    })
  },

  charges: (db, ids) => readOwed(db, 'charges', 'charge', ids),
  contracts: (db, ids) => readOwed(db, 'contracts', 'contract', ids),
}

async function readOwed(
  db: Db | Tx,
  table: 'charges' | 'contracts',
  kind: SearchKind,
  ids: readonly string[],
): Promise<SearchedRecord[]> {
  const rows = await db
    .selectFrom(table as 'charges')
    .select(['id', 'instance_id', 'status', 'amount', 'currency', 'created'])
    .select(['alt_key', 'description'])
    .where('id', 'in', ids)
    .execute()
  return rows.map((row) => ({
    ...shown(row, kind),
    title: row.description ?? row.alt_key ?? row.id,
    detail: row.alt_key,
    texts: { alt_key: row.alt_key, description: row.description },
  }))
}

type Shown = Pick<
  SearchedRecord,
  'id' | 'instance_id' | 'status' | 'amount' | 'currency' | 'created'
>

function shown(row: Shown, kind: SearchKind) {
  const { id, instance_id, status, amount, currency, created } = row
  return { id, instance_id, kind, status, amount, currency, created }
}

/** Amounts of options are texts, in the currency of the options. */
function ofOptions(
  row: { id: string; instance_id: string; options: string; created: string },
  kind: 'payment_link' | 'deep_link',
  status: string,
): SearchedRecord & { amountText: string | null } {
  const options = JSON.parse(row.options) as PaymentLinkOptions
  const { name = null, description = null, currency = null } = options
  const altKey = options.alt_key ?? options.default_alt_key ?? null
  return {
    ...shown({ ...row, status, amount: null, currency }, kind),
    amountText: options.amount ?? null,
    title: name ?? description ?? altKey ?? row.id,
    detail: altKey,
    texts: {
      name,
      alt_key: altKey,
      description: description ?? options.default_description,
      amount: options.amount,
    },
  }
}

/** Returns the amount as the API writes it; null for what has none. */
export function amountOf(record: SearchedRecord & { amountText?: string | null }): string | null {
  if (record.amountText !== undefined) return record.amountText
  const { amount, currency } = record
  return amount === null || currency === null ? null : amountText(amount, currency)
}
