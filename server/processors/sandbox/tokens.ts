import { createHmac, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { compiledQuery } from '../../db/compiled-query.ts'
import type { MethodToCharge } from '../port.ts'
import { cardBrand, cardScenario, ibanScenario } from './numbers.ts'
import { type Scenario, scenarioWhenStored } from './scenarios.ts'
import type { MethodType, SandboxTables, TokenRow } from './tables.ts'
import type { TokenRequest } from './token-request.ts'

type Db = Kysely<SandboxTables>

/**
 * Turns a card or account into a row that is safe to keep: brand, last four, expiry and what it
 * will do. The number ends here; so does the security code, which is only ever looked at by form.
 */
export function tokenRow(
  request: TokenRequest,
  given: { token: string; salt: string; created: string },
): TokenRow {
  const common = { token: given.token, stored: 0, used_by: null, created: given.created }
  if ('card' in request) {
    const { number, exp_month, exp_year } = request.card
    return {
      ...common,
      type: 'CARD',
      brand: cardBrand(number),
      last4: number.slice(-4),
      exp_month,
      exp_year,
      country: null,
      scenario: known(cardScenario(number)),
      fingerprint: fingerprint(given.salt, `card:${number}`),
    }
  }
  const { iban } = request.bank_account
  return {
    ...common,
    type: 'DIRECT_DEBIT',
    brand: null,
    last4: iban.slice(-4),
    exp_month: null,
    exp_year: null,
    country: iban.slice(0, 2),
    scenario: known(ibanScenario(iban)),
    fingerprint: fingerprint(given.salt, `iban:${iban}`),
  }
}

/** Throws an Error for anything but a test number: nothing is kept of a real one, not even a token. */
function known(scenario: Scenario | undefined): Scenario {
  if (scenario === undefined) throw new Error('The sandbox keeps nothing but its test numbers')
  return scenario
}

/** The same number gives the same text, in one database; another database has another salt. */
function fingerprint(salt: string, text: string): string {
  return createHmac('sha256', Buffer.from(salt, 'hex')).update(text).digest('hex')
}

const SALT = 'fingerprint_salt'

/** The salt of this database, made the first time somebody asks for it. */
export async function readSalt(trx: Db): Promise<string> {
  const [row] = (await selectSalt(trx, {})).rows
  if (row !== undefined) return row.value
  await trx
    .insertInto('sandbox_settings')
    .values({ name: SALT, value: randomBytes(32).toString('hex') })
    // Somebody else may be first. Theirs counts then.
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await selectSalt(trx, {})).rows[0]?.value as string
}

const selectSalt = compiledQuery((db: Db) =>
  db.selectFrom('sandbox_settings').select('value').where('name', '=', SALT),
)

/** Keeps a new token. */
export async function insertToken(db: Db, row: TokenRow): Promise<void> {
  await insert(db, row)
}

const insert = compiledQuery((db: Db, row: TokenRow) => db.insertInto('sandbox_tokens').values(row))

/** Removes tokens that were made before a time, as the ledger writes it, and never used. */
export async function deleteUnusedTokens(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('sandbox_tokens')
    // In the words of the index of just these tokens, or it would not be used.
    .where(sql<boolean>`used_by is null and stored = 0`)
    .where('created', '<', before)
    .execute()
}

/** A token by its text, or undefined. */
export async function findToken(db: Db, token: string): Promise<TokenRow | undefined> {
  return (await selectByToken(db, { token })).rows[0]
}

const selectByToken = compiledQuery((db: Db, { token }: { token: string }) =>
  db.selectFrom('sandbox_tokens').selectAll().where('token', '=', token),
)

/**
 * The token that a method names, now belonging to `operation`; undefined when it does not exist,
 * is of another type, or has been used by another operation. A stored one belongs to nobody.
 */
export async function useToken(
  trx: Db,
  operation: string,
  method: MethodToCharge,
): Promise<TokenRow | undefined> {
  if (method.token === undefined) return undefined
  if (method.kind === 'STORED') {
    const stored = await findToken(trx, method.token)
    return stored?.stored === 1 && stored.type === method.type ? stored : undefined
  }
  const { token, type } = method
  return (await claim(trx, { operation, token, type: type as MethodType })).rows[0]
}

const claim = compiledQuery(
  (db: Db, { operation, token, type }: { operation: string; token: string; type: MethodType }) =>
    db
      .updateTable('sandbox_tokens')
      .set({ used_by: operation })
      .where('token', '=', token)
      .where('type', '=', type)
      .where('stored', '=', 0)
      .where((eb) => eb.or([eb('used_by', 'is', null), eb('used_by', '=', operation)]))
      .returningAll(),
)

/**
 * A token for paying again with what `token` stands for. It is a new one, because the browser has
 * seen the first and must not be able to pay with a stored card by repeating it.
 */
export async function storeToken(
  trx: Db,
  token: string,
  given: { newToken: (prefix: string) => string; created: string },
): Promise<string> {
  const row = await trx
    .selectFrom('sandbox_tokens')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  if (row.stored === 1) return row.token
  const kept = {
    ...row,
    token: given.newToken('kept'),
    scenario: scenarioWhenStored(row.scenario),
    stored: 1,
    used_by: null,
    created: given.created,
  }
  await insertToken(trx, kept)
  return kept.token
}
