import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import type { Db } from '../db/tables.ts'
import {
  findMethodSetup,
  findMethodSetupByKey,
  findNewestMethodSetup,
} from '../method-setups/store.ts'
import {
  findAttempt,
  findAttemptByHandle,
  findAttemptByKey,
  findNewestAttempt,
  isPayerAttempt,
  type PayerAttempt,
} from '../payments/attempts.ts'

/** What a submit asks a processor for: to pay, or to save the method of a free trial. */
export type Submission = PayerAttempt | TrialSetup

/** A set-up that holds the claim of a link and begins a contract. */
export interface TrialSetup extends MethodSetupRow {
  payment_link_id: string
  agreement: string
}

export function isTrialSetup(row: Submission | MethodSetupRow): row is TrialSetup {
  return row.id.startsWith('st_') && row.payment_link_id !== null
}

/** Returns the id of the session in which a submission was made. */
export function sessionOf(submission: Submission): string {
  return isTrialSetup(submission) ? submission.session_id : submission.checkout_id
}

export async function findSubmission(db: Db, id: string): Promise<Submission | undefined> {
  if (id.startsWith('st_')) return asTrial(await findMethodSetup(db, 'id', id))
  const attempt = await findAttempt(db, id)
  return attempt && isPayerAttempt(attempt) ? attempt : undefined
}

export async function findSubmissionByKey(
  db: Db,
  checkoutId: string,
  key: string,
): Promise<Submission | undefined> {
  return (
    (await findAttemptByKey(db, checkoutId, key)) ??
    asTrial(await findMethodSetupByKey(db, checkoutId, key))
  )
}

export async function findSubmissionByHandle(
  db: Db,
  handle: string,
): Promise<Submission | undefined> {
  return (
    (await findAttemptByHandle(db, handle)) ?? asTrial(await findMethodSetup(db, 'handle', handle))
  )
}

/** Returns the newest submission of a session. */
export async function findNewestSubmission(
  db: Db,
  checkoutId: string,
): Promise<Submission | undefined> {
  const attempt = await findNewestAttempt(db, checkoutId)
  const setup = asTrial(await findNewestMethodSetup(db, checkoutId))
  if (!attempt || !setup) return attempt ?? setup
  return attempt.created > setup.created ? attempt : setup
}

/** Returns all submissions of a session, oldest first. */
export async function listSubmissions(
  db: Db,
  instanceId: string,
  checkoutId: string,
): Promise<Submission[]> {
  const attempts = await db
    .selectFrom('attempts')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .where('instance_id', '=', instanceId)
    .execute()
  const setups = await db
    .selectFrom('method_setups')
    .selectAll()
    .where('session_id', '=', checkoutId)
    .where('instance_id', '=', instanceId)
    .execute()
  const submissions: Submission[] = [
    ...attempts.filter(isPayerAttempt),
    ...setups.filter(isTrialSetup),
  ]
  return submissions.toSorted(
    (a, b) => Number(a.created > b.created) - Number(a.created < b.created),
  )
}

function asTrial(setup: MethodSetupRow | undefined): TrialSetup | undefined {
  return setup && isTrialSetup(setup) ? setup : undefined
}
