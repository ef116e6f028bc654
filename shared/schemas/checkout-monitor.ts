import { z } from 'zod'
import { account } from './account.ts'
import { instant, recordText, relation } from './common.ts'
import { paymentLink } from './payment-link-record.ts'

/** Counts of checkout sessions. */

const count = (description: string) => z.int().meta({ description, example: 12 })

const rate = (description: string) => z.string().nullable().meta({ description, example: '0.8333' })

const totals = {
  opened: count('Sessions that were opened.'),
  details_done: count('Sessions whose payer filled in all details that the link asks for.'),
  method_chosen: count('Sessions whose payer chose a payment method.'),
  submitted: count('Sessions with at least one submitted payment.'),
  challenged: count('Sessions whose payer was sent to their bank to confirm.'),
  completed: count('Sessions that were paid.'),
  pending: count('Sessions whose payment the bank decides later, or whose outcome is unknown.'),
  declined: count('Sessions with at least one declined payment, also those that were paid later.'),
  abandoned: count('Sessions that ended unpaid after their payer had begun.'),
  expired: count('Sessions that ended before their payer had begun.'),
  amount: z.record(z.string(), z.string()).meta({
    description: 'What the completed sessions paid, by currency, in major units.',
    example: { EUR: '240.00' },
  }),
}

const rates = z
  .strictObject({
    submit: rate('`submitted` divided by `opened`; null without sessions.'),
    approval: rate('`completed` divided by `submitted`; null without submitted sessions.'),
    conversion: rate('`completed` divided by `opened`; null without sessions.'),
  })
  .meta({ description: 'Rates as decimals from 0 to 1 with four places.' })

const median = z
  .int()
  .nullable()
  .meta({
    description:
      'Median of the seconds from the opening of a session to its payment: exact up to ten seconds, ' +
      'and within a tenth above. Null without payments.',
    example: 47,
  })

const reportRow = z
  .strictObject({
    key: recordText(
      'The day, the hour with its offset, or the value; null for sessions that have none.',
      '2026-01-31',
    ).nullable(),
    ...totals,
    rates,
    median_seconds_to_pay: median,
  })
  .meta({ id: 'CheckoutReportRow', description: 'The counts of one day, hour or value.' })

export type CheckoutReportRow = z.output<typeof reportRow>

export const checkoutReport = z
  .strictObject({
    from: instant.meta({ description: 'The beginning of the time that is counted.' }),
    to: instant.meta({ description: 'Its end, which is no longer counted.' }),
    timezone: recordText('The time zone in which days and hours begin.', 'Europe/Paris'),
    totals: z
      .strictObject(totals)
      .meta({ description: 'Counts of all sessions; each session counts once in each member.' }),
    rates,
    median_seconds_to_pay: median,
    rows: z.array(reportRow).meta({
      description:
        'By day or hour: every one, in order. Otherwise the values with most sessions, at most 1000.',
    }),
    rows_omitted: count('How many values are left out of `rows`.'),
    declines: z
      .array(
        z.strictObject({
          code: recordText(
            'Why payments were declined; `ERROR` for a failure of the processor, `CANCELLED` for a payment that its payer left.',
            'INSUFFICIENT_FUNDS',
          ),
          count: count('Number of declined payments.'),
        }),
      )
      .meta({ description: 'Declined payments of the sessions by reason, most frequent first.' }),
  })
  .meta({ id: 'CheckoutReport', description: 'Counts of the sessions that were opened in a time.' })

export type CheckoutReport = z.output<typeof checkoutReport>

export const REPORT_ROWS = [
  'day',
  'hour',
  'branding',
  'language',
  'channel',
  'method',
  'processor',
  'deep_link',
] as const

export const checkoutReportResponse = z.strictObject({ checkout_monitor: checkoutReport })

/** What waits for a processor for too long. */
export const stuckOperation = z
  .strictObject({
    id: recordText(
      'Id of the checkout session or the payment.',
      'ck_1893499200000_8i9j0k1l2m3n4o5p',
    ),
    type: z
      .enum(['CHECKOUT', 'PAYMENT'])
      .meta({ description: 'Whether it is a checkout session or a payment.' }),
    status: z.enum(['SUBMITTED', 'PENDING', 'UNRESOLVED']).meta({
      description: 'Its status: `SUBMITTED` or `PENDING` of a session, `UNRESOLVED` of a payment.',
    }),
    payment_link: relation(paymentLink).describe(
      'The payment link that is being paid; null if there is none. Expandable.',
    ),
    account: relation(account).describe('The customer; null if there is none. Expandable.'),
    amount: z.string().nullable().meta({
      description: 'The amount in major units.',
      example: '24.00',
    }),
    currency: z.string().nullable().meta({ description: 'Its currency.', example: 'EUR' }),
    since: instant.meta({
      description: 'When a session took its status, or when a payment was made.',
    }),
    created: instant.meta({ description: 'When it was created.' }),
  })
  .meta({ id: 'StuckOperation', description: 'A session or payment that waits for its processor.' })

export type StuckOperation = z.output<typeof stuckOperation>
