import { z } from 'zod'
import { email, instant, recordText } from './common.ts'

const newMail = z.strictObject({
  to: email.describe('E-mail address of the payer.'),
  language: z
    .string()
    .regex(/^(?:[a-z]{2}|default)$/, { error: 'must be a two-letter code or default' })
    .nullish()
    .meta({
      description:
        'Language of the mail and of the page that it leads to; that of the account that the link names, else the base wording, if omitted.',
      example: 'de',
    }),
})

export type NewLinkMail = z.output<typeof newMail>

export const sendPaymentLinkRequest = z
  .strictObject({ mail: newMail.describe('The mail to send.') })
  .meta({ id: 'SendPaymentLink', description: 'Body of a request that sends a link by mail.' })

export const mail = z
  .strictObject({
    id: recordText('Mail id; begins with `ml_`.', 'ml_1893499200000_4x5y6z7a8b9c0d1e'),
    payment_link: recordText('Id of the link.', 'pl_lp9c7k00_3fK9mQx7Rt2VbN8sLw4ZyH6c'),
    status: z
      .enum(['WAITING', 'SENT', 'FAILED'])
      .describe(
        '`WAITING`: to be sent, or to be tried again for a day. `SENT`: a mail server accepted it. `FAILED`: it was refused or given up.',
      ),
    language: z.string().meta({ description: 'Language of the mail.', example: 'de' }),
    created: instant.describe('When it was queued.'),
  })
  .meta({ id: 'Mail', description: 'A mail that leads a payer to a payment link.' })

export const mailResponse = z.strictObject({ mail })
