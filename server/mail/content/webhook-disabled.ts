import { NO_RECIPIENT, OBSOLETE, type WriteMail } from './content.ts'

/** Says to a user of the merchant that a webhook was disabled because its deliveries failed. */
export const writeWebhookDisabled: WriteMail = async ({
  deps: { db },
  instance,
  mail,
  wording,
}) => {
  const { t, merchant } = wording
  const webhook = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'enabled'])
    .where('id', '=', mail.record_id)
    .where('instance_id', '=', mail.instance_id)
    .executeTakeFirst()
  if (webhook?.enabled !== 0) return OBSOLETE
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', mail.user_id)
    .where('disabled', 'is', null)
    .executeTakeFirst()
  if (!user) return NO_RECIPIENT
  return {
    to: user.email,
    subject: t('email.webhook_subject', { merchant }),
    title: t('email.webhook_title'),
    // The path of a URL may hold a secret.
    paragraphs: [t('email.webhook_intro', { merchant, host: new URL(webhook.url).host })],
    rows: [
      [t('email.webhook_instance'), instance.key],
      [t('email.webhook'), webhook.id],
    ],
  }
}
