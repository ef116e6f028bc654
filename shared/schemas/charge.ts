import { z } from 'zod'
import { AMOUNT_LENGTH_MAX } from '../rules/money.ts'
import { account } from './account.ts'
import { sessionMembers } from './actor-session.ts'
import { currency, instant, recordMembers, relation } from './common.ts'
import { contract } from './contract.ts'
import { paymentMethod } from './payment-method.ts'

/** Charges: what is owed, and when (specification: Charge; contract section 11). */

export const charge = z
  .strictObject({
    id: z.string().meta({
      description: 'Charge id; begins with `cg_`.',
      example: 'cg_1893499200000_1b2c3d4e5f6g7h8i',
    }),
    alt_key: z.string().nullable().meta({
      description:
        'Your reference, taken over from the payment request; null where there was none. Several charges may share one.',
      example: 'order-1001',
    }),
    account: relation(account).meta({
      description:
        'The customer who owes it; null where the payment request named none. Expandable.',
    }),
    contract: relation(contract).meta({
      description: 'The contract that made the charge; null for a single one. Expandable.',
    }),
    payment_link: z.string().nullable().meta({
      description: 'The payment link that the charge belongs to; null where there is none.',
    }),
    amount: z.string().meta({
      description: 'What is owed in all, in major units, paid parts included.',
      example: '24.00',
    }),
    currency: currency.meta({ description: 'Currency of all amounts of the charge, ISO 4217.' }),
    paid_amount: z.string().meta({
      description:
        'What has been paid, in major units. Refunds do not lower it, so that refunded money is not collected again.',
      example: '24.00',
    }),
    refunded_amount: z.string().meta({
      description: 'What has been refunded of `paid_amount`, in major units.',
      example: '0.00',
    }),
    outstanding_amount: z.string().meta({
      description: 'What is still owed, in major units: `amount` less `paid_amount`.',
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
      description: 'What the charge is for, from the payment request; null where it said nothing.',
    }),
    payment_method: relation(paymentMethod).meta({
      description:
        "The stored method that the server collects the charge from; null where the contract's method is used, or there is none. Expandable.",
    }),
    last_payment: z.string().nullable().meta({
      description: 'Id of the last payment that was for this charge; null before the first.',
    }),
    attempts: z.int().meta({
      description:
        'How often the server has tried to collect the charge by itself. Payments by request do not count.',
    }),
    next_attempt: instant.nullable().meta({
      description:
        'When the server collects the charge next; null where it will not unless the charge is changed.',
    }),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({ id: 'Charge', description: 'An amount that a customer owes, and when.' })

export type Charge = z.output<typeof charge>

/** Unlike an amount to pay, what is owed may be nothing. */
const owedAmount = z
  .string()
  .max(AMOUNT_LENGTH_MAX)
  .regex(/^[0-9]{1,12}(\.[0-9]+)?$/, {
    error: 'must be a decimal amount such as "10.50", with a dot and no other separators',
  })
  .meta({ example: '12.50' })

export const updateCharge = z
  .strictObject({
    charge: z
      .strictObject({
        status: z.enum(['ACTIVE', 'WRITTENOFF']).optional().meta({
          description:
            '`WRITTENOFF` stops collection; `ACTIVE` takes it up again. A paid or cancelled charge cannot be written off.',
        }),
        amount: owedAmount.optional().meta({
          description:
            'New amount owed in all, in major units: not less than what is paid or being paid. Equal to what is paid, it makes the charge `PAID`.',
          example: '20.00',
        }),
        due: instant.nullish().meta({
          description:
            'New due date. A date in the past lets the server collect at once, from a stored method; null takes the date away, and with it the collection.',
        }),
      })
      .meta({ description: 'The members to change; the others stay.' }),
  })
  .meta({ id: 'UpdateCharge', description: 'Body of a request that changes a charge.' })

export type ChargeChange = z.output<typeof updateCharge>['charge']

export const chargeAnswer = z.strictObject({ charge })
