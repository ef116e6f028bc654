import { z } from 'zod'
import { PAYMENT_METHOD_ID } from '../rules/ids.ts'
import { account } from './account.ts'
import { actorSession } from './actor-session.ts'
import { currency, instant, recordMembers, relation, text } from './common.ts'
import { paymentMethod } from './payment-method.ts'

/** Contracts: what makes charges fall due again and again (contract section 11). */

export const contract = z
  .strictObject({
    id: z.string(),
    alt_key: z.string().nullable(),
    account: relation(account),
    payment_method: relation(paymentMethod),
    payment_link: z.string().nullable(),
    amount: z.string(),
    currency,
    description: z.string().nullable(),
    recurring: z.strictObject({
      frequency: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
      interval: z.int(),
      count: z.int().nullable(),
      until: instant.nullable(),
    }),
    timezone: z.string().meta({ description: 'Whose days and months are counted.' }),
    next_due: instant.nullable(),
    status: z.enum(['ACTIVE', 'PAUSED', 'ENDED', 'CANCELLED']),
    charges_total: z.int(),
    charges_paid: z.int(),
    created_session: relation(actorSession),
    updated_session: relation(actorSession),
    ...recordMembers,
  })
  .meta({ id: 'Contract' })

export type Contract = z.output<typeof contract>

export const updateContract = z
  .strictObject({
    contract: z.strictObject({
      status: z.enum(['ACTIVE', 'PAUSED']).optional(),
      payment_method: z
        .string()
        .max(255)
        .regex(PAYMENT_METHOD_ID, { error: 'must be an id that begins with pm_' })
        .optional(),
      description: text(1000).nullish(),
    }),
  })
  .meta({ id: 'UpdateContract' })

export type ContractChange = z.output<typeof updateContract>['contract']

export const contractAnswer = z.strictObject({ contract })
export const contractList = z.array(contract)
