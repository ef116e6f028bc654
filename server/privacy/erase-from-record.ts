import type { Account } from '../../shared/schemas/account.ts'

/** What to erase from records, and what identifies them. */
export interface Erasure {
  /** The account as it is after it was anonymized. */
  account: Account
  /** Ids of the links that fill in details of the customer. */
  links: ReadonlySet<string>
  /** Ids of the links on which payers write the comment themselves, and of the contracts that began there. */
  commented: ReadonlySet<string>
}

/** Returns a copy of a record of the API, with all that it contains, in which the customer is erased. */
export function eraseFromRecord(record: unknown, erasure: Erasure): unknown {
  if (Array.isArray(record)) return record.map((item) => eraseFromRecord(item, erasure))
  if (!isRecord(record)) return record
  const changes = { ...ofAccount(record, erasure), ...ofCustomer(record, erasure) }
  const entries = Object.entries({ ...record, ...changes })
  return Object.fromEntries(
    entries.map(([name, member]) => [name, eraseFromRecord(member, erasure)]),
  )
}

/** The members of the account itself, as far as the record has them. */
function ofAccount(record: Record<string, unknown>, { account }: Erasure): object {
  if (record['id'] !== account.id) return {}
  const present = PERSONAL.filter((name) => name in record)
  return Object.fromEntries(present.map((name) => [name, account[name]]))
}

const PERSONAL = [
  'crm_key',
  'first_name',
  'last_name',
  'company',
  'email',
  'phone',
  'address',
  'metadata',
  'tags',
  'locale',
  'timezone',
] as const

/** What payments, sessions, methods and links have of their customer. */
function ofCustomer(
  record: Record<string, unknown>,
  { account, links, commented }: Erasure,
): object {
  const isOwn = idOf(record['account']) === account.id
  const isCommented = ['payment_link', 'contract'].some((name) =>
    commented.has(String(idOf(record[name]))),
  )
  return {
    ...(isOwn && clear(record, ['payer', 'payer_comment'])),
    ...(isOwn && ofMethod(record)),
    ...(isOwn && isCommented && clear(record, ['description'])),
    ...(links.has(String(record['id'])) && { options: withoutAccount(record['options']) }),
  }
}

/** The digits of a stored method, its label that contains them, and its fingerprint. */
function ofMethod(record: Record<string, unknown>): object {
  const { id, type, card, bank } = record
  if (!('fingerprint' in record)) return {}
  const brand = isRecord(card) ? card['brand'] : null
  return {
    label: typeof brand === 'string' ? brand : String(type).toLowerCase().replaceAll('_', ' '),
    card: isRecord(card) ? { ...card, ...clear(card, METHOD_DETAILS) } : card,
    bank: isRecord(bank) ? { ...bank, ...clear(bank, METHOD_DETAILS) } : bank,
    fingerprint: id,
  }
}

const METHOD_DETAILS = ['last4', 'exp_month', 'exp_year', 'country']

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function clear(record: Record<string, unknown>, names: readonly string[]): object {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, null]))
}

/** A relation is an id, or the record that `expand` put in its place. */
function idOf(relation: unknown): unknown {
  return isRecord(relation) ? relation['id'] : relation
}

function withoutAccount(options: unknown): unknown {
  if (!isRecord(options)) return options
  const { account, ...others } = options
  return typeof account === 'string' ? options : others
}
