import { formatInstant } from '../../shared/rules/time.ts'
import type { MailRow } from '../db/tables/mails.ts'
import type { Deps } from '../deps.ts'
import { composeMail } from './compose.ts'
import { leaseDueMails, recordFailedTry, recordSent } from './outbox.ts'
import { MAIL_GIVEN_UP_MS, mailRetryDelay } from './retry-schedule.ts'
import { type SendMail, SMTP_TIMEOUT_MS, type SmtpRefusal } from './smtp.ts'

/** Longer than any try, so that a lease expires only when its process died. */
export const MAIL_LEASE_MS = 2 * SMTP_TIMEOUT_MS
/** Mails that one process sends at a time. */
const CONCURRENT_MAX = 5

export interface MailDeliverer {
  /** Starts due mails up to the limit. Returns the number without waiting. */
  start: () => Promise<number>
  /** Resolves when every started mail has ended. */
  drain: () => Promise<void>
}

/**
 * Sends due mails at each `start`. `onEnded` is called after each try.
 *
 * At least once: a process that dies between the mail server's acceptance and its record sends the
 * mail again, with the same Message-ID.
 */
export function createMailDeliverer(
  deps: Deps,
  send: SendMail,
  onEnded: () => void = () => {},
): MailDeliverer {
  const inFlight = new Set<Promise<void>>()

  async function start(): Promise<number> {
    const limit = CONCURRENT_MAX - inFlight.size
    if (limit <= 0) return 0
    const now = deps.realNow()
    const leased = await leaseDueMails(deps.db, {
      now: formatInstant(now),
      until: formatInstant(now + MAIL_LEASE_MS),
      limit,
    })
    for (const mail of leased) track(deliver(deps, send, mail))
    return leased.length
  }

  function track(sending: Promise<void>): void {
    const ended = sending.finally(() => {
      inFlight.delete(ended)
      onEnded()
    })
    inFlight.add(ended)
  }

  return {
    start,
    async drain() {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

/** Never throws. A try that cannot be recorded is repeated when its lease has expired. */
async function deliver(deps: Deps, send: SendMail, mail: MailRow): Promise<void> {
  try {
    const refusal = await tryToSend(deps, send, mail)
    const now = formatInstant(deps.realNow())
    if (refusal === null) {
      await recordSent(deps.db, mail, now)
      deps.log.info({ mail: mail.id }, 'mail was sent')
    } else {
      const failed = { ...refusal, next: refusal.permanent ? null : nextTry(deps, mail) }
      await recordFailedTry(deps.db, mail, failed, now)
      const { error, code: status } = refusal
      deps.log.warn({ mail: mail.id, error, status }, 'mail was not sent')
    }
  } catch (error) {
    deps.log.error({ err: error, mail: mail.id }, 'mail delivery failed')
  }
}

async function tryToSend(deps: Deps, send: SendMail, mail: MailRow): Promise<SmtpRefusal | null> {
  if (ageOf(deps, mail) > MAIL_GIVEN_UP_MS) return dropped('GIVEN_UP')
  try {
    const message = await composeMail(deps, mail)
    return 'error' in message ? dropped(message.error) : await send(message)
  } catch (error) {
    // One mail that cannot be written must not stay at the head of the queue.
    deps.log.error({ err: error, mail: mail.id }, 'mail could not be written')
    return { error: 'DEFECT', code: null, permanent: false }
  }
}

function dropped(error: SmtpRefusal['error']): SmtpRefusal {
  return { error, code: null, permanent: true }
}

function nextTry(deps: Deps, mail: MailRow): string | null {
  const delay = mailRetryDelay({ attempts: mail.attempts + 1, ageMs: ageOf(deps, mail) })
  return delay === undefined ? null : formatInstant(deps.realNow() + delay)
}

function ageOf(deps: Deps, { created }: MailRow): number {
  return deps.realNow() - Date.parse(created)
}
