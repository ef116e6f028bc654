import type { Selectable } from 'kysely'
import { serializeAccount } from './accounts/serialize.ts'
import { serializeActorSession } from './actor-sessions/serialize.ts'
import { serializeCharge } from './charges/serialize.ts'
import { serializeContract } from './contracts/serialize.ts'
import type { Tables } from './db/tables.ts'
import type { ExpandGraph, LoadFrom, LoadMany } from './http/expand.ts'
import { serializeLegalEntity } from './legal-entities/serialize.ts'
import { serializeDeepLink } from './deep-links/serialize.ts'
import { listLinksByIds } from './payment-links/queries.ts'
import { serializePaymentLink } from './payment-links/serialize.ts'
import { serializePaymentMethod } from './payment-methods/serialize.ts'
import { listPaymentMethodsByIds } from './payment-methods/store.ts'
import { serializeTransaction } from './payments/serialize.ts'
import { serializePayments } from './payments/store.ts'

const SESSIONS = { created_session: 'session', updated_session: 'session' }

/**
 * The members of each resource that can be expanded, and the resource that each refers to. Captures
 * are payments. A resource refers only to those above it, so that expansions cannot form a cycle and
 * a schema can import the schemas of all that it may contain.
 */
export const EXPANSIONS: ExpandGraph = {
  session: {
    load: loadTable('actor_sessions', (rows) => rows.map(serializeActorSession)),
    members: {},
  },
  legal_entity: {
    load: loadTable('legal_entities', (rows) => rows.map(serializeLegalEntity)),
    members: SESSIONS,
  },
  legal_entity_route: { members: { legal_entity: 'legal_entity', ...SESSIONS } },
  transaction: {
    load: loadTable('transactions', (rows) => rows.map(serializeTransaction)),
    members: {},
  },
  account: {
    load: loadTable('accounts', (rows) => rows.map(serializeAccount)),
    members: { last_transaction: 'transaction', ...SESSIONS },
  },
  payment_method: { load: loadPaymentMethods, members: { account: 'account' } },
  contract: {
    load: loadTable('contracts', (rows) => rows.map(serializeContract)),
    members: {
      account: 'account',
      legal_entity: 'legal_entity',
      payment_method: 'payment_method',
      ...SESSIONS,
    },
  },
  charge: {
    load: loadTable('charges', (rows) => rows.map(serializeCharge)),
    members: {
      account: 'account',
      contract: 'contract',
      legal_entity: 'legal_entity',
      payment_method: 'payment_method',
      ...SESSIONS,
    },
  },
  payment: {
    load: loadTable('payments', (rows, { db, now }) => serializePayments(db, rows, now())),
    members: {
      account: 'account',
      charge: 'charge',
      contract: 'contract',
      legal_entity: 'legal_entity',
      parts: { kind: 'charge', inEach: 'charge' },
      payment_method: 'payment_method',
      transaction: 'transaction',
    },
  },
  deep_link: {
    load: loadTable('deep_links', (rows, { now, baseUrl }) =>
      rows.map((row) => serializeDeepLink(row, { now: now(), baseUrl })),
    ),
    members: { account: 'account', charges: 'charge', contract: 'contract', ...SESSIONS },
  },
  payment_link: {
    load: loadPaymentLinks,
    members: {
      account: 'account',
      charge: 'charge',
      contract: 'contract',
      deep_link: 'deep_link',
      payment: 'payment',
      payment_method: 'payment_method',
      transaction: 'transaction',
    },
  },
  refund: {
    members: {
      account: 'account',
      legal_entity: 'legal_entity',
      payment: 'payment',
      source_transaction: 'transaction',
    },
  },
  reversal: { members: { payment: 'payment' } },
  void: { members: { payment: 'payment', transaction: 'transaction' } },
  checkout: {
    members: {
      account: 'account',
      deep_link: 'deep_link',
      legal_entity: 'legal_entity',
      payment_link: 'payment_link',
    },
  },
  checkout_monitor: { members: SESSIONS },
  stuck: { members: { account: 'account', payment_link: 'payment_link' } },
  string_ack: { members: { created_session: 'session' } },
  string_override: { members: { updated_session: 'session' } },
  string_revision: { members: { created_session: 'session' } },
  instance_webhook: { members: SESSIONS },
  oauth_grant: { members: {} },
  audit_entry: { members: {} },
  user: { members: {} },
  view: { members: { created_session: 'session' } },
  user_session: { members: {} },
  secret_key: { members: { created_session: 'session' } },
  processor: { members: SESSIONS },
}

type InstanceTable =
  | 'accounts'
  | 'actor_sessions'
  | 'charges'
  | 'contracts'
  | 'deep_links'
  | 'legal_entities'
  | 'payments'
  | 'transactions'

/** Returns a function that loads rows of one table by their ids and serializes them in their order. */
function loadTable<Name extends InstanceTable>(
  table: Name,
  serialize: (
    rows: Selectable<Tables[Name]>[],
    from: LoadFrom,
  ) => { id: string }[] | Promise<{ id: string }[]>,
): LoadMany {
  return async (from, instanceId, ids) => {
    const rows = await from.db
      // All these tables have both columns; the query builder types them one by one.
      .selectFrom(table as 'accounts')
      .selectAll()
      .where('id', 'in', ids)
      .where('instance_id', '=', instanceId)
      .execute()
    return byId(await serialize(rows as unknown as Selectable<Tables[Name]>[], from))
  }
}

async function loadPaymentMethods(
  { db, now }: LoadFrom,
  instanceId: string,
  ids: readonly string[],
): ReturnType<LoadMany> {
  const rows = await listPaymentMethodsByIds(db, instanceId, ids, now())
  return byId(rows.map(serializePaymentMethod))
}

async function loadPaymentLinks(
  { db, now, baseUrl }: LoadFrom,
  instanceId: string,
  ids: readonly string[],
): ReturnType<LoadMany> {
  const context = { now: now(), baseUrl }
  const links = await listLinksByIds(db, instanceId, ids)
  return byId(links.map((link) => serializePaymentLink(link, context)))
}

function byId<T extends { id: string }>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [record.id, record]))
}
