import type { Selectable } from 'kysely'

/** Which event a mail is about. */
export type MailKind =
  | 'RECEIPT'
  | 'TRIAL'
  | 'REFUND'
  | 'PAYMENT_LINK'
  | 'CARD_EXPIRING'
  | 'COLLECTION_FAILED'
  | 'WEBHOOK_DISABLED'
  | 'INVITATION'

/** Why a mail was not accepted. `OBSOLETE`: what it says is no longer true. */
export type MailError =
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'TLS_FAILED'
  | 'LOGIN_REFUSED'
  | 'SENDER_REFUSED'
  | 'RECIPIENT_REFUSED'
  | 'MESSAGE_REFUSED'
  | 'DEFERRED'
  | 'NO_RECIPIENT'
  | 'UNSUBSCRIBED'
  | 'OBSOLETE'
  | 'GIVEN_UP'
  | 'DEFECT'

/** The outbox. A mail is written when it is sent, from the record that it is about. */
export interface MailsTable {
  id: string
  instance_id: string
  kind: MailKind
  /** What the mail is about; one mail of a kind exists for each. */
  subject: string
  /** The record that the mail is written from. */
  record_id: string
  /** The recipient of a mail to a user. */
  user_id: string | null
  /** The deep link that the mail leads to; null before it is written, and without one. */
  deep_link_id: string | null
  /** The address that a merchant gave; null where the record has it, and some days after sending. */
  recipient: string | null
  language: string
  /** Empty for the instance's own. */
  branding: string
  timezone: string | null
  status: 'WAITING' | 'SENT' | 'FAILED'
  attempts: number
  /** Null once sent or given up. */
  next_attempt: string | null
  /** Lease of the sending process. */
  leased_until: string | null
  last_attempt: string | null
  /** The reply of the mail server to the last try; null without one. */
  response_code: number | null
  /** Reason of the last failure; null after a success. */
  error: MailError | null
  sent: string | null
  created: string
  updated: string
}

export type MailRow = Selectable<MailsTable>
