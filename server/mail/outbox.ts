import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { MailRow, MailError } from '../db/tables/mails.ts'
import type { Db, Tx } from '../db/tables.ts'
import { withRowLock } from '../db/row-locks.ts'
import { afterCommit } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { jobSignals } from '../events/job-signals.ts'
import { newId } from '../ids.ts'

export type NewMail = Pick<
  MailRow,
  'instance_id' | 'kind' | 'subject' | 'record_id' | 'language' | 'branding' | 'timezone'
> &
  Partial<Pick<MailRow, 'recipient' | 'user_id'>>

/**
 * Inserts a mail in the transaction of what it is about, unless the server sends no mail. Returns
 * undefined then, and when that mail exists already.
 */
export async function queueMail(
  { config, realNow }: Pick<Deps, 'config' | 'realNow'>,
  tx: Tx,
  mail: NewMail,
): Promise<MailRow | undefined> {
  if (config.mail === undefined) return undefined
  const now = realNow()
  const created = formatInstant(now)
  const row = await tx
    .insertInto('mails')
    .values({
      id: newId('ml', now),
      user_id: null,
      recipient: null,
      deep_link_id: null,
      ...mail,
      status: 'WAITING',
      attempts: 0,
      next_attempt: created,
      leased_until: null,
      last_attempt: null,
      response_code: null,
      error: null,
      sent: null,
      created,
      updated: created,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) afterCommit(tx, emitMail)
  return row
}

const emitMail = () => void jobSignals.emit('mail')

/** Finds the mail of a kind about a subject. */
export async function findMail(
  db: Db | Tx,
  mail: Pick<MailRow, 'kind' | 'subject'>,
): Promise<MailRow | undefined> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('kind', '=', mail.kind)
    .where('subject', '=', mail.subject)
    .executeTakeFirst()
}

/**
 * Leases at most `limit` due mails until `until`, longest due first, and returns them. Two processes
 * never lease the same one.
 */
export async function leaseDueMails(
  db: Db,
  { now, until, limit }: { now: string; until: string; limit: number },
): Promise<MailRow[]> {
  return db
    .updateTable('mails')
    .set({ leased_until: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where('next_attempt', 'is not', null)
        .where('next_attempt', '<=', now)
        .where((due) => due.or([due('leased_until', 'is', null), due('leased_until', '<=', now)]))
        .orderBy('next_attempt')
        .limit(limit)
        .$call(withRowLock(db, 'no key update', { skipLocked: true })),
    )
    .returningAll()
    .execute()
}

/** Records that the mail server accepted a mail, even when its lease was lost meanwhile. */
export async function recordSent(db: Db, { id }: MailRow, now: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({
      status: 'SENT',
      attempts: sql<number>`attempts + 1`,
      next_attempt: null,
      leased_until: null,
      last_attempt: now,
      response_code: 250,
      error: null,
      sent: now,
      updated: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Records the deep link that a mail leads to. */
export async function recordDeepLink(tx: Tx, { id }: MailRow, deepLinkId: string): Promise<void> {
  await tx.updateTable('mails').set({ deep_link_id: deepLinkId }).where('id', '=', id).execute()
}

/** A try that failed. `next` is when the next one is, date-time; null for none. */
export interface FailedTry {
  error: MailError
  code: number | null
  next: string | null
}

/** Records a failed try, unless its lease was lost meanwhile. */
export async function recordFailedTry(
  db: Db,
  { id, leased_until }: MailRow,
  { error, code, next }: FailedTry,
  now: string,
): Promise<void> {
  await db
    .updateTable('mails')
    .set({
      status: next === null ? 'FAILED' : 'WAITING',
      attempts: sql<number>`attempts + 1`,
      next_attempt: next,
      leased_until: null,
      last_attempt: now,
      response_code: code,
      error,
      updated: now,
    })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .where('next_attempt', 'is not', null)
    .execute()
}

const DAY_MS = 86_400_000
/** How long the address that a merchant gave is kept after its mail was sent or given up. */
const RECIPIENT_KEPT_MS = 7 * DAY_MS
/** A little more than a year, so that a card that stays expired is not announced again soon. */
const KEPT_MS = 400 * DAY_MS

/** Deletes old addresses, and mails after 400 days. */
export async function pruneMails({ db, realNow }: Pick<Deps, 'db' | 'realNow'>): Promise<void> {
  const now = realNow()
  await db
    .updateTable('mails')
    .set({ recipient: null })
    .where('recipient', 'is not', null)
    .where('updated', '<=', formatInstant(now - RECIPIENT_KEPT_MS))
    .where('next_attempt', 'is', null)
    .execute()
  await db
    .deleteFrom('mails')
    .where('created', '<=', formatInstant(now - KEPT_MS))
    .where('next_attempt', 'is', null)
    .execute()
}

/** Returns the number of waiting mails, and when the oldest was created. */
export async function countWaitingMails(db: Db): Promise<{ count: number; oldest: string | null }> {
  return db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select((eb) => eb.fn.min('created').as('oldest'))
    .where('next_attempt', 'is not', null)
    .executeTakeFirstOrThrow()
}
