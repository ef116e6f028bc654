import { z } from 'zod'
import { AMOUNT_LENGTH_MAX } from '../rules/money.ts'
import { account } from './account.ts'
import { sessionMembers } from './actor-session.ts'
import { currency, instant, recordMembers, relation } from './common.ts'
import { contract } from './contract.ts'
import { paymentMethod } from './payment-method.ts'

export const charge = z
  .strictObject({
    id: z.string().meta({
      description: 'Charge id; begins with `cg_`.',
      example: 'cg_1893499200000_1b2c3d4e5f6g7h8i',
    }),
    alt_key: z.string().nullable().meta({
      description:
        'Your reference, taken over from the payment request; null if there was none. Several charges may share one.',
      example: 'order-1001',
    }),
    account: relation(account).meta({
      description: 'The customer; null if the payment request had none. Expandable.',
    }),
    contract: relation(contract).meta({
      description: 'The contract that made the charge; null for a single one. Expandable.',
    }),
    payment_link: z.string().nullable().meta({
      description: 'The payment link that the charge belongs to; null if there is none.',
    }),
    amount: z.string().meta({
      description: 'Total amount owed, in major units, including paid parts.',
      example: '24.00',
    }),
    currency: currency.meta({ description: 'Currency of all amounts of the charge, ISO 4217.' }),
    paid_amount: z.string().meta({
      description:
        'Amount paid, in major units. Refunds do not lower it, so that refunded money is not collected again.',
      example: '24.00',
    }),
    refunded_amount: z.string().meta({
      description: 'Amount refunded of `paid_amount`, in major units.',
      example: '0.00',
    }),
    outstanding_amount: z.string().meta({
      description: 'Amount still owed, in major units: `amount` less `paid_amount`.',
      example: '0.00',
    }),
    due: instant.nullable().meta({
      description:
        'When the charge is to be paid; null for one without a date, which the server does not collect.',
    }),
    recurring: z
      .enum(['Y', 'N'])
      .meta({ description: '`Y` for a charge of a contract, `N` for a single one.' }),
    status: z.enum(['ACTIVE', 'WRITTENOFF', 'PAID', 'CANCELLED']).meta({
      description:
        '`ACTIVE`: something is outstanding. `WRITTENOFF`: not collected any more. `PAID`: nothing is outstanding. `CANCELLED`: its contract was cancelled before it was paid.',
    }),
    description: z.string().nullable().meta({
      description: 'Description from the payment request; null if there was none.',
    }),
    payment_method: relation(paymentMethod).meta({
      description:
        "The stored method that the server collects the charge from; null if the contract's method is used, or there is none. Expandable.",
    }),
    last_payment: z.string().nullable().meta({
      description: 'Id of the last payment that was for this charge; null before the first.',
    }),
    attempts: z.int().meta({
      description:
        'How often the server has tried to collect the charge by itself. Payments by request do not count.',
    }),
    next_attempt: instant.nullable().meta({
      description: 'When the server next collects the charge; null if no collection is planned.',
    }),
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
        status: z.enum(['ACTIVE', 'WRITTENOFF']).optional().meta({
          description:
            '`WRITTENOFF` stops collection; `ACTIVE` resumes it. A paid or cancelled charge cannot be written off.',
        }),
        amount: owedAmount.optional().meta({
          description:
            'New total amount, in major units, not less than the amount paid or being paid. If equal to the amount paid, the charge becomes `PAID`.',
          example: '20.00',
        }),
        due: instant.nullish().meta({
          description:
            'New due date. With a date in the past the server collects at once from a stored method; null removes the date and stops collection.',
        }),
      })
      .meta({ description: 'The members to change; others are kept.' }),
  })
  .meta({ id: 'UpdateCharge', description: 'Body of a request that changes a charge.' })

export type ChargeChange = z.output<typeof updateChargeRequest>['charge']

export const chargeResponse = z.strictObject({ charge })
