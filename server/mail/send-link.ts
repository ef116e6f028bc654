import type { NewLinkMail } from '../../shared/schemas/mail.ts'
import { resolveLocale } from '../checkouts/resolve-locale.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { MailRow } from '../db/tables/mails.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalid, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import { brandingOfChannel } from '../instances/brandings.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { getLink } from '../payment-links/store.ts'
import { isMailAddress } from '../smtp-url.ts'
import { getOfferedLanguages } from '../strings/languages.ts'
import { requireMailAllowed } from './limits.ts'
import { queueMail } from './outbox.ts'
import { isSendable } from './sendable-link.ts'

/**
 * Queues a mail that leads a payer to a link. Throws INVALID_STATE when the server sends no mail or the
 * link cannot be paid, and 429 above the limits.
 */
export async function sendLink(
  deps: Deps,
  instance: Instance,
  id: string,
  { to, language }: NewLinkMail,
): Promise<MailRow> {
  const link = await getLink(deps.db, instance.id, id)
  if (deps.config.mail === undefined) throw invalidState('This server sends no mail')
  if (!isMailAddress(to)) throw invalid('mail.to', 'must be an email address')
  if (language != null && !(await getOfferedLanguages(deps, instance)).includes(language)) {
    throw invalid('mail.language', 'must be a language of the instance')
  }
  if (!(await isSendable(deps, link, instance))) throw invalidState('Payment link cannot be paid')
  await requireMailAllowed(deps, instance, to)
  const { channel } = parseLinkContent(link).options
  const locale = await resolveLocale(deps, instance, link, {
    branding: brandingOfChannel(instance, channel)?.key ?? '',
    preferences: { requested: language ?? undefined },
  })
  const mail = await inTransaction(deps.db, (tx) =>
    queueMail(deps, tx, {
      instance_id: instance.id,
      kind: 'PAYMENT_LINK',
      // A merchant may send a link as often as the limits permit.
      subject: newId('ml', deps.realNow()),
      record_id: link.id,
      recipient: to,
      ...locale,
    }),
  )
  if (!mail) throw new Error('a mail with a new id exists already')
  return mail
}

/** Returns a mail as the API shows it. */
export function serializeMail({ id, record_id, status, language, created }: MailRow) {
  return { id, payment_link: record_id, status, language, created }
}
