import { getInstance } from '../instances/store.ts'
import { withClockOf } from '../clock.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { MailKind, MailRow } from '../db/tables/mails.ts'
import type { Deps } from '../deps.ts'
import { themeOf } from '../instances/brandings.ts'
import { isMailAddress, type Mailbox } from '../smtp-url.ts'
import { writeCardExpiring } from './content/card-expiring.ts'
import { writeCollectionFailed } from './content/collection-failed.ts'
import { NO_RECIPIENT, type NotWritten, type WriteMail } from './content/content.ts'
import { writeInvitation } from './content/invitation.ts'
import { writePaymentLink } from './content/payment-link.ts'
import { writeReceipt } from './content/receipt.ts'
import { writeRefund } from './content/refund.ts'
import { writeTrial } from './content/trial.ts'
import { writeWebhookDisabled } from './content/webhook-disabled.ts'
import { findMailEntity, imprintLines } from './legal-entity.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'
import type { MailMessage } from './smtp.ts'
import { mailWording } from './wording.ts'

const WRITERS: Record<MailKind, WriteMail> = {
  RECEIPT: writeReceipt,
  TRIAL: writeTrial,
  REFUND: writeRefund,
  PAYMENT_LINK: writePaymentLink,
  CARD_EXPIRING: writeCardExpiring,
  COLLECTION_FAILED: writeCollectionFailed,
  WEBHOOK_DISABLED: writeWebhookDisabled,
  INVITATION: writeInvitation,
}

/**
 * Writes a mail from the record that it is about, as that is now. A removed address or a corrected one
 * therefore counts until the mail is sent.
 */
export async function composeMail(deps: Deps, mail: MailRow): Promise<MailMessage | NotWritten> {
  const { mail: settings } = deps.config
  if (settings === undefined) throw new Error('the server has no mail settings')
  const instance = await getInstance(deps.db, mail.instance_id)
  return withClockOf(instance, () => writeMail(deps, { instance, mail, from: settings.from }))
}

async function writeMail(
  deps: Deps,
  { instance, mail, from }: { instance: Instance; mail: MailRow; from: Mailbox },
): Promise<MailMessage | NotWritten> {
  const entity = await findMailEntity(deps, instance, mail)
  const wording = await mailWording(deps, instance, mail, entity)
  const content = await WRITERS[mail.kind]({ deps, instance, mail, wording })
  if ('error' in content) return content
  if (!isMailAddress(content.to)) return NO_RECIPIENT
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const isReceipt = ['RECEIPT', 'TRIAL', 'REFUND'].includes(mail.kind)
  const frame = {
    isTest: instance.mode === 'TEST',
    imprint: entity ? imprintLines(wording, entity, { isReceipt }) : [],
  }
  return {
    messageId: `<${mail.id}@${domain}>`,
    from: { name: wording.merchant, address: from.address },
    to: content.to,
    subject: content.subject,
    text: renderText(wording, content, frame),
    html: await renderHtml(wording, content, {
      ...frame,
      theme: themeOf(instance, mail.branding),
    }),
    language: wording.language,
    ...(content.unsubscribe !== undefined && { unsubscribe: content.unsubscribe }),
  }
}
