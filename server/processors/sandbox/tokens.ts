import { createHmac, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { compiledQuery } from '../../db/compiled-query.ts'
import type { MethodToCharge } from '../port.ts'
import { cardBrand, cardCountry, cardScenario, ibanScenario } from './test-cards.ts'
import { type Scenario, scenarioWhenStored } from './scenarios.ts'
import type { MethodType, SandboxTables, MethodToken } from './tables.ts'
import type { TokenRequest } from './token-request.ts'

type Db = Kysely<SandboxTables>

/**
 * Returns a row that is safe to store: brand, last four digits, expiry and scenario. The number and the
 * security code are dropped here.
 */
export function tokenRow(
  request: TokenRequest,
  { token, salt, created }: { token: string; salt: string; created: string },
): MethodToken {
  const common = { token, stored: 0, used_by: null, created }
  if ('card' in request) {
    const { number, exp_month, exp_year } = request.card
    return {
      ...common,
      type: 'CARD',
      brand: cardBrand(number),
      last4: number.slice(-4),
      exp_month,
      exp_year,
      country: cardCountry(number),
      scenario: requireTestNumber(cardScenario(number)),
      fingerprint: fingerprint(salt, `card:${number}`),
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
    scenario: requireTestNumber(ibanScenario(iban)),
    fingerprint: fingerprint(salt, `iban:${iban}`),
  }
}

/** Throws for anything but a test number: nothing of a real number is stored, not even a token. */
function requireTestNumber(scenario: Scenario | undefined): Scenario {
  if (scenario === undefined) throw new Error('The sandbox keeps nothing but its test numbers')
  return scenario
}

/** The same number gives the same text within one database, which has its own salt. */
function fingerprint(salt: string, text: string): string {
  return createHmac('sha256', Buffer.from(salt, 'hex')).update(text).digest('hex')
}

const SALT = 'fingerprint_salt'

/** Creates the salt of this database on first use. */
export async function readSalt(trx: Db): Promise<string> {
  const [row] = (await selectSalt(trx, {})).rows
  if (row !== undefined) return row.value
  await trx
    .insertInto('sandbox_settings')
    .values({ name: SALT, value: randomBytes(32).toString('hex') })
    // A concurrent call may have inserted it first.
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await selectSalt(trx, {})).rows[0]?.value as string
}

const selectSalt = compiledQuery((db: Db) =>
  db.selectFrom('sandbox_settings').select('value').where('name', '=', SALT),
)

export const insertToken = compiledQuery((db: Db, row: MethodToken) =>
  db.insertInto('sandbox_tokens').values(row),
)

/** Deletes tokens that were created before a date-time and never used. */
export async function deleteUnusedTokens(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('sandbox_tokens')
    // The same terms as the partial index, so that it is used.
    .where(sql<boolean>`used_by is null and stored = 0`)
    .where('created', '<', before)
    .execute()
}

export async function findToken(db: Db, token: string): Promise<MethodToken | undefined> {
  return (await selectByToken(db, { token })).rows[0]
}

const selectByToken = compiledQuery((db: Db, { token }: { token: string }) =>
  db.selectFrom('sandbox_tokens').selectAll().where('token', '=', token),
)

/**
 * Assigns a token to an operation and returns it. Returns undefined when it does not exist, has another
 * type or was used by another operation. A stored token stays unassigned.
 */
export async function useToken(
  trx: Db,
  operation: string,
  method: MethodToCharge,
): Promise<MethodToken | undefined> {
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
 * Returns a new token for the same method, because the browser has seen the first one and must not be
 * able to charge a stored card with it.
 */
export async function storeToken(
  trx: Db,
  token: string,
  { newToken, created }: { newToken: (prefix: string) => string; created: string },
): Promise<string> {
  const row = await trx
    .selectFrom('sandbox_tokens')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  if (row.stored === 1) return row.token
  const storedRow = {
    ...row,
    token: newToken('kept'),
    scenario: scenarioWhenStored(row.scenario),
    stored: 1,
    used_by: null,
    created,
  }
  await insertToken(trx, storedRow)
  return storedRow.token
}
