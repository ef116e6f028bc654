import { z } from 'zod'
import { PAYMENT_METHOD_ID } from '../rules/ids.ts'
import { account } from './account.ts'
import { sessionMembers } from './actor-session.ts'
import {
  currency,
  instantOrNull,
  recordMembers,
  recordText,
  recordTextOrNull,
  relation,
  text,
} from './common.ts'
import { consent } from './consent.ts'
import { legalEntity } from './legal-entity.ts'
import { paymentMethod } from './payment-method.ts'

export const contract = z
  .strictObject({
    id: recordText('Contract id; begins with `co_`.', 'co_1893499200000_2c3d4e5f6g7h8i9j'),
    alt_key: recordTextOrNull(
      'Your reference, taken over from the payment request; null if there was none.',
      'membership-7',
    ),
    account: relation(account).describe('The customer who pays. Expandable.'),
    payment_method: relation(paymentMethod).describe(
      'The stored method that its charges are collected from; null before the first payment succeeded. Expandable.',
    ),
    legal_entity: relation(legalEntity).describe(
      'The legal entity to which its charges belong; null while the instance has no legal entities. Expandable.',
    ),
    payment_link: recordTextOrNull(
      'The payment link that the contract began with; null if there is none.',
    ),
    amount: recordText('Amount of each charge, in major units.', '9.00'),
    currency: currency.describe('Currency of its charges, ISO 4217.'),
    description: recordTextOrNull('Description of its charges; null if there is none.'),
    recurring: z
      .strictObject({
        frequency: z
          .enum(['DAY', 'WEEK', 'MONTH', 'YEAR'])
          .describe('Unit of time between two charges.'),
        interval: z
          .int()
          .meta({ description: 'How many of these units lie between two charges.', example: 1 }),
        count: z.int().nullable().describe('Total number of charges; null if unlimited.'),
        until: instantOrNull.describe(
          'The last time at which a charge can fall due; null if unlimited.',
        ),
        trial_days: z.int().nullable().meta({
          description:
            'Days of the free period before the first charge; null if it began with a payment.',
          example: 14,
        }),
      })
      .describe('How often charges fall due, and how long.'),
    consent: consent
      .nullable()
      .describe(
        'How the payer of a payment link agreed to the contract; null for `POST /payments`, where you obtain consent yourself.',
      ),
    timezone: recordText(
      'IANA time zone in which days and months are counted: that of the account, else of the instance, else UTC.',
    ),
    next_due: instantOrNull.describe(
      'When the next charge falls due; null once there will be none.',
    ),
    status: z
      .enum(['ACTIVE', 'PAUSED', 'ENDED', 'CANCELLED'])
      .describe(
        '`ACTIVE`: charges are made. `PAUSED`: none are made for now. `ENDED`: the last one has been made. `CANCELLED`: cancelled, with every unpaid charge.',
      ),
    charges_total: z.int().describe('How many charges have been made so far.'),
    charges_paid: z.int().describe('How many of them are paid.'),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({
    id: 'Contract',
    description: 'An agreement to pay the same amount again and again. It makes the charges.',
  })

export type Contract = z.output<typeof contract>

export const updateContractRequest = z
  .strictObject({
    contract: z
      .strictObject({
        status: z
          .enum(['ACTIVE', 'PAUSED'])
          .optional()
          .describe(
            '`PAUSED` stops making charges; `ACTIVE` goes on with the next due date that lies ahead, without making up for those missed.',
          ),
        payment_method: z
          .string()
          .max(255)
          .regex(PAYMENT_METHOD_ID, { error: 'must be an id that begins with pm_' })
          .optional()
          .meta({
            description:
              'Another stored method of the same account, also for the charges that are not paid yet.',
            example: 'pm_1893499200000_4e5f6g7h8i9j0k1l',
          }),
        description: text(1000).nullish().describe('Description of future charges; null for none.'),
      })
      .describe('The members to change; others are kept.'),
  })
  .meta({ id: 'UpdateContract', description: 'Body of a request that changes a contract.' })

export type ContractChange = z.output<typeof updateContractRequest>['contract']

export const contractResponse = z.strictObject({ contract })
