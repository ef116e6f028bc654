import { z } from 'zod'
import { AMOUNT_LENGTH_MAX } from '../rules/money.ts'
import { account } from './account.ts'
import { actorSession } from './actor-session.ts'
import { currency, instant, recordMembers, relation } from './common.ts'
import { contract } from './contract.ts'
import { paymentMethod } from './payment-method.ts'

/** Charges: what is owed, and when (specification: Charge; contract section 11). */

export const charge = z
  .strictObject({
    id: z.string(),
    alt_key: z.string().nullable(),
    account: relation(account),
    contract: relation(contract),
    payment_link: z.string().nullable(),
    amount: z.string(),
    currency,
    paid_amount: z
      .string()
      .meta({ description: 'Before refunds, which do not reopen the charge.' }),
    refunded_amount: z.string(),
    outstanding_amount: z.string(),
    due: instant.nullable(),
    recurring: z.enum(['Y', 'N']),
    status: z.enum(['ACTIVE', 'WRITTENOFF', 'PAID', 'CANCELLED']),
    description: z.string().nullable(),
    payment_method: relation(paymentMethod),
    last_payment: z.string().nullable(),
    attempts: z.int().meta({ description: 'Collections that the server began by itself.' }),
    next_attempt: instant.nullable(),
    created_session: relation(actorSession),
    updated_session: relation(actorSession),
    ...recordMembers,
  })
  .meta({ id: 'Charge' })

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
    charge: z.strictObject({
      status: z.enum(['ACTIVE', 'WRITTENOFF']).optional(),
      amount: owedAmount.optional(),
      due: instant.nullish(),
    }),
  })
  .meta({ id: 'UpdateCharge' })

export type ChargeChange = z.output<typeof updateCharge>['charge']

export const chargeAnswer = z.strictObject({ charge })
export const chargeList = z.array(charge)
