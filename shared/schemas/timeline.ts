import { z } from 'zod'
import { instant, recordText, recordTextOrNull } from './common.ts'

/** What an entry is about; each kind has an area of permissions. */
export const TIMELINE_KINDS = [
  'account',
  'payment_method',
  'contract',
  'charge',
  'payment_link',
  'checkout',
  'payment',
  'refund',
  'void',
  'reversal',
  'delivery',
] as const

/** Ids of the titles, which clients put into words. */
export const TIMELINE_TITLES = [
  'account_anonymised',
  'account_created',
  'account_updated',
  'capture_declined',
  'capture_pending',
  'capture_success',
  'capture_unresolved',
  'charge_created',
  'charge_paid',
  'charge_payer_needed',
  'charge_reactivated',
  'charge_updated',
  'charge_writtenoff',
  'checkout_abandoned',
  'checkout_challenged',
  'checkout_details_done',
  'checkout_expired',
  'checkout_method_chosen',
  'checkout_opened',
  'contract_created',
  'contract_ended',
  'contract_updated',
  'delivery_delivered',
  'delivery_failed',
  'delivery_waiting',
  'payment_authorised',
  'payment_cancelled',
  'payment_declined',
  'payment_pending',
  'payment_scheduled',
  'payment_success',
  'payment_surplus',
  'payment_unresolved',
  'payment_link_archived',
  'payment_link_created',
  'payment_link_expired',
  'payment_link_updated',
  'payment_method_created',
  'payment_method_removed',
  'payment_method_updated',
  'refund_declined',
  'refund_failed',
  'refund_pending',
  'refund_success',
  'refund_unresolved',
  'reversal_lost',
  'reversal_open',
  'reversal_won',
  'void_declined',
  'void_pending',
  'void_success',
  'void_unresolved',
] as const

const entry = z
  .strictObject({
    at: instant.describe('When it happened.'),
    kind: z.enum(TIMELINE_KINDS).describe('What the entry is about.'),
    tone: z
      .enum(['ok', 'wait', 'bad', 'ask', 'news', 'calm'])
      .describe(
        '`ok`: it succeeded. `wait`: decided later. `bad`: it failed. `ask`: the outcome is unknown. `news`: something to look at. `calm`: everything else.',
      ),
    title_id: z.enum(TIMELINE_TITLES).describe('Id of the sentence that says what happened.'),
    values: z.record(z.string(), z.string()).meta({
      description:
        'What the sentence is filled with, such as `amount` (major units) with `currency`, `reason` as it was given, `code` of a decline, `language`, `origin` of an embedding page, `type` of an event, `url` of a webhook and `response_status`.',
      example: { amount: '24.00', currency: 'EUR' },
    }),
    actor: z
      .strictObject({
        type: z
          .enum(['API_KEY', 'OAUTH', 'USER', 'CHECKOUT', 'SYSTEM'])
          .describe('How the caller was identified, as in actor sessions.'),
        id: recordTextOrNull('Id of the user, the secret key or the platform, if there is one.'),
        name: recordTextOrNull(
          'Email address of the user, or name of the secret key or platform. Told to users alone.',
        ),
      })
      .nullable()
      .describe('Who did it; null if that is not stored, as for links, payers and processors.'),
    ids: z.record(z.string(), z.string()).meta({
      description: 'Ids of the records of the entry, by their singular names.',
      example: { payment: 'pay_1893499200000_6g7h8i9j0k1l2m3n' },
    }),
  })
  .meta({ id: 'TimelineEntry', description: 'Something that happened to a record.' })

export type TimelineEntry = z.output<typeof entry>
export type TimelineKind = (typeof TIMELINE_KINDS)[number]
export type TimelineTitle = (typeof TIMELINE_TITLES)[number]

export const timelineResponse = z.strictObject({
  timeline: z.array(entry).describe('Newest first, at most 200 entries.'),
  complete: z
    .boolean()
    .describe('False if there are older entries, which the lists of the records have.'),
})

/** What `of` may name. */
export const timelineOf = recordText(
  'Id of a payment link, payment, charge, contract, account or checkout session.',
  'pay_1893499200000_6g7h8i9j0k1l2m3n',
)
