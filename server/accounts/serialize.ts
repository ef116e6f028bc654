import type { Account } from '../../shared/schemas/account.ts'
import { fromJson } from '../db/json.ts'
import type { AccountRow } from './store.ts'

export function serializeAccount(row: AccountRow): Account {
  return {
    id: row.id,
    crm_key: row.crm_key,
    first_name: row.first_name,
    last_name: row.last_name,
    company: row.company,
    email: row.email,
    phone: row.phone,
    address: fromJson<Account['address']>(row.address),
    metadata: fromJson<Account['metadata']>(row.metadata) ?? {},
    tags: row.tags,
    locale: row.locale,
    timezone: row.timezone,
    channel: row.channel,
    division: row.division,
    crm: row.crm,
    mail_notices: row.mail_notices === 1,
    status: row.status,
    anonymised: row.anonymised,
    last_transacted: row.last_transacted,
    last_transaction: row.last_transaction_id,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
