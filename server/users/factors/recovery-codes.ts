import { randomInt } from 'node:crypto'
import { formatInstant } from '../../../shared/rules/time.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { hashPassword, verifyPasswordHash } from '../../auth/passwords.ts'
import type { Db, Tx } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import {
  deleteRecoveryCodes,
  insertRecoveryCodes,
  listRecoveryCodes,
  type RecoveryCodeRow,
  spendRecoveryCode,
} from './store.ts'

const CODES = 10
const GROUPS = 4
/** By its first group a code is found, so that one hash is computed for it and not ten. */
const GROUP_LENGTH = 4
/** Base32 without the letters and digits that are mistaken for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** New codes of a user, as texts to show once and as rows to store. */
export interface NewRecoveryCodes {
  codes: string[]
  rows: RecoveryCodeRow[]
}

/** Makes ten codes such as `k7qm-4x9t-pwrd-2h6n`, of 79 bits each. Their hashes take a second of work. */
export async function newRecoveryCodes(userId: string, now: number): Promise<NewRecoveryCodes> {
  const bySelector = new Map<string, string>()
  while (bySelector.size < CODES) {
    const code = randomCode()
    bySelector.set(code.slice(0, GROUP_LENGTH), code)
  }
  const rows: RecoveryCodeRow[] = []
  for (const [selector, code] of bySelector) {
    const hash = await hashPassword(normalizeRecoveryCode(code))
    rows.push({ user_id: userId, selector, hash, created: formatInstant(now), used: null })
  }
  return { codes: [...bySelector.values()], rows }
}

function randomCode(): string {
  const letters = Array.from({ length: GROUPS * GROUP_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  )
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}

/** Stores new codes in place of the former ones. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  { rows }: NewRecoveryCodes,
): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  await insertRecoveryCodes(tx, rows)
}

/** Accepts capitals, spaces and any hyphens. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Spends a code. Returns false for one that is wrong or used. `now` is epoch milliseconds. */
export async function useRecoveryCode(
  db: Db,
  { userId, typed, address }: { userId: string; typed: string; address: string | undefined },
  now: number,
): Promise<boolean> {
  const code = normalizeRecoveryCode(typed)
  const rows = await listRecoveryCodes(db, userId)
  const row = rows.find(
    ({ selector, used }) => used === null && selector === code.slice(0, GROUP_LENGTH),
  )
  if (code.length !== GROUPS * GROUP_LENGTH || !row) return false
  if (!(await verifyPasswordHash(row.hash, code, now))) return false
  return inTransaction(db, async (tx) => {
    if (!(await spendRecoveryCode(tx, row, formatInstant(now)))) return false
    await recordAudit(tx, {
      at: now,
      by: { type: 'USER', user: userId, ip: address },
      of: { user: userId },
      action: 'recovery_code.used',
      about: userId,
      detail: { left: rows.filter(({ used }) => used === null).length - 1 },
    })
    return true
  })
}
