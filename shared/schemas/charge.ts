import { z } from 'zod'
import { AMOUNT_LENGTH_MAX } from '../rules/money.ts'
import { account } from './account.ts'
import { sessionMembers } from './actor-session.ts'
import {
  currency,
  instant,
  instantOrNull,
  recordMembers,
  recordText,
  recordTextOrNull,
  relation,
} from './common.ts'
import { contract } from './contract.ts'
import { legalEntity } from './legal-entity.ts'
import { paymentMethod } from './payment-method.ts'

export const charge = z
  .strictObject({
    id: recordText('Charge id; begins with `cg_`.', 'cg_1893499200000_1b2c3d4e5f6g7h8i'),
    alt_key: recordTextOrNull(
      'Your reference, taken over from the payment request; null if there was none. Several charges may share one.',
      'order-1001',
    ),
    account: relation(account).describe(
      'The customer; null if the payment request had none. Expandable.',
    ),
    contract: relation(contract).describe(
      'The contract that made the charge; null for a single one. Expandable.',
    ),
    legal_entity: relation(legalEntity).describe(
      'The legal entity to which it is owed; null while the instance has no legal entities. Expandable.',
    ),
    payment_link: recordTextOrNull(
      'The payment link that last paid the charge or a part of it; null if there is none.',
    ),
    amount: recordText('Total amount owed, in major units, including paid parts.', '24.00'),
    currency: currency.describe('Currency of all amounts of the charge, ISO 4217.'),
    paid_amount: recordText(
      'Amount paid, in major units. Refunds do not lower it, so that refunded money is not collected again.',
      '24.00',
    ),
    refunded_amount: recordText('Amount refunded of `paid_amount`, in major units.', '0.00'),
    outstanding_amount: recordText(
      'Amount still owed, in major units: `amount` less `paid_amount`.',
      '0.00',
    ),
    due: instantOrNull.describe(
      'When the charge is to be paid; null for one without a date, which the server does not collect.',
    ),
    recurring: z.enum(['Y', 'N']).describe('`Y` for a charge of a contract, `N` for a single one.'),
    status: z
      .enum(['ACTIVE', 'WRITTENOFF', 'PAID', 'CANCELLED'])
      .describe(
        '`ACTIVE`: something is outstanding. `WRITTENOFF`: not collected any more. `PAID`: nothing is outstanding. `CANCELLED`: its contract was cancelled before it was paid.',
      ),
    description: recordTextOrNull('Description from the payment request; null if there was none.'),
    payment_method: relation(paymentMethod).describe(
      "The stored method that the server collects the charge from; null if the contract's method is used, or there is none. Expandable.",
    ),
    last_payment: recordTextOrNull(
      'Id of the last payment that was for this charge; null before the first.',
    ),
    attempts: z
      .int()
      .describe(
        'How often the server has tried to collect the charge by itself. Payments by request do not count.',
      ),
    next_attempt: instantOrNull.describe(
      'When the server next collects the charge; null if no collection is planned.',
    ),
    retry_advice: z
      .enum(['NEVER', 'WITH_PAYER'])
      .nullable()
      .describe(
        'Why the server does not collect a declined charge again: `NEVER`, because the method must not be charged again; `WITH_PAYER`, because the bank wants the customer to confirm. Null otherwise. A new `due`, or another method of the contract, resumes collection.',
      ),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({ id: 'Charge', description: 'An amount that a customer owes, and when.' })

export type Charge = z.output<typeof charge>

/** Unlike an amount to pay, an amount owed may be zero. */
const owedAmount = z
  .string()
  .max(AMOUNT_LENGTH_MAX)
  .regex(/^[0-9]{1,12}(\.[0-9]+)?$/, {
    error: 'must be a decimal amount such as "10.50", with a dot and no other separators',
  })
  .meta({ example: '12.50' })

export const updateChargeRequest = z
  .strictObject({
    charge: z
      .strictObject({
        status: z
          .enum(['ACTIVE', 'WRITTENOFF'])
          .optional()
          .describe(
            '`WRITTENOFF` stops collection; `ACTIVE` resumes it. A paid or cancelled charge cannot be written off.',
          ),
        amount: owedAmount.optional().meta({
          description:
            'New total amount, in major units, not less than the amount paid or being paid. If equal to the amount paid, the charge becomes `PAID`.',
          example: '20.00',
        }),
        due: instant
          .nullish()
          .describe(
            'New due date. With a date in the past the server collects at once from a stored method; null removes the date and stops collection.',
          ),
      })
      .describe('The members to change; others are kept.'),
  })
  .meta({ id: 'UpdateCharge', description: 'Body of a request that changes a charge.' })

export type ChargeChange = z.output<typeof updateChargeRequest>['charge']

export const chargeResponse = z.strictObject({ charge })
