import type { Instance } from '../../db/tables/instances.ts'
import type { MailRow } from '../../db/tables/mails.ts'
import type { Deps } from '../../deps.ts'
import type { MailWording } from '../wording.ts'

/** What a mail says. All members are plain text. */
export interface MailContent {
  to: string
  subject: string
  title: string
  /** The sum that the mail is about. */
  amount?: string
  paragraphs: readonly string[]
  rows?: readonly MailContentRow[]
  action?: { label: string; url: string }
  /** Where the recipient of a notice that is not required refuses further ones. */
  unsubscribe?: string
}

/** What stands around the content of every mail. */
export interface MailFrame {
  isTest: boolean
  /** Who is paid in law, line by line. */
  imprint: readonly string[]
}

export type MailContentRow = readonly [label: string, value: string]

/** Why a mail is not written: it has no recipient, they refuse it, or what it would say is no longer true. */
export type NotWritten = { error: 'NO_RECIPIENT' | 'UNSUBSCRIBED' | 'OBSOLETE' }

export const NO_RECIPIENT: NotWritten = { error: 'NO_RECIPIENT' }
export const UNSUBSCRIBED: NotWritten = { error: 'UNSUBSCRIBED' }
export const OBSOLETE: NotWritten = { error: 'OBSOLETE' }

export interface MailContext {
  deps: Deps
  instance: Instance
  mail: MailRow
  wording: MailWording
}

export type WriteMail = (context: MailContext) => Promise<MailContent | NotWritten>

/** Leaves out rows without a value. */
export function filledRows(
  rows: readonly (readonly [label: string, value: string | null | undefined])[],
): MailContentRow[] {
  return rows.filter((row): row is MailContentRow => row[1] != null && row[1] !== '')
}
