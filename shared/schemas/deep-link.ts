import { z } from 'zod'
import { ACCOUNT_ID, CHARGE_ID, CONTRACT_ID } from '../rules/ids.ts'
import { containsCardNumber } from '../rules/card-in-text.ts'
import { account } from './account.ts'
import { sessionMembers } from './actor-session.ts'
import { charge } from './charge.ts'
import {
  instant,
  instantOrNull,
  NO_CARD_NUMBER,
  recordMembers,
  recordText,
  relation,
} from './common.ts'
import { contract } from './contract.ts'
import { paymentLinkOptions, updateMode } from './payment-link.ts'

const USES_MAX = 1_000_000_000
const CHARGES_MAX = 20

export const deepLinkAction = z
  .enum(['PAY', 'ADD_PAYMENT_METHOD', 'PAY_CHARGES', 'MANAGE_CONTRACT'])
  .describe(
    '`PAY`: each payer makes a payment of their own. `ADD_PAYMENT_METHOD`, `PAY_CHARGES`, `MANAGE_CONTRACT`: one task of one customer.',
  )

export const deepLinkAllowance = z.enum(['CANCEL', 'PAUSE', 'PAYMENT_METHOD'])
export type DeepLinkAllowance = z.output<typeof deepLinkAllowance>

const idOf = (pattern: RegExp, prefix: string) =>
  z
    .string()
    .max(255)
    .regex(pattern, { error: `must be an id that begins with ${prefix}` })

/** What a request may change later. */
const changeable = {
  slug: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{1,62}$/, {
      error: 'must be 2 to 63 of a-z, 0-9 and -, and not begin with -',
    })
    .refine((slug) => !containsCardNumber(slug), NO_CARD_NUMBER)
    .nullish()
    .meta({
      description:
        'The end of the address, unique on the server; 128 random bits stand there if omitted. Only for `PAY`, because a slug can be guessed. An archived link keeps its slug.',
      example: 'donate',
    }),
  options: paymentLinkOptions
    .nullish()
    .describe(
      'For `PAY` and `PAY_CHARGES`: the template of the payment links that its uses make. For the others: `channel`, `timezone` and `success_url` of the page.',
    ),
  max_uses: z
    .int()
    .min(1)
    .max(USES_MAX)
    .nullish()
    .meta({ description: 'How often it can be used; null for no limit.', example: 100 }),
  expires: instant
    .nullish()
    .describe(
      'When the link can no longer be used; in the future. Null: never. A link of an account needs it, at most 30 days ahead.',
    ),
}

export const createDeepLinkRequest = z
  .strictObject({
    deep_link: z
      .strictObject({
        action: deepLinkAction,
        account: idOf(ACCOUNT_ID, 'acc_').nullish().meta({
          description: 'The customer whose task it is. Required by all actions but `PAY`.',
          example: 'acc_1893499200000_0a1b2c3d4e5f6g7h',
        }),
        contract: idOf(CONTRACT_ID, 'co_').nullish().meta({
          description:
            'The contract of the task: required by `MANAGE_CONTRACT`, optional for `ADD_PAYMENT_METHOD`.',
          example: 'co_1893499200000_2c3d4e5f6g7h8i9j',
        }),
        charges: z
          .array(idOf(CHARGE_ID, 'cg_'))
          .min(1)
          .max(CHARGES_MAX)
          .refine((all) => new Set(all).size === all.length, { error: 'may name each charge once' })
          .nullish()
          .meta({
            description:
              'For `PAY_CHARGES`: the charges of the account to pay, active ones of one currency; all active ones if omitted.',
            example: ['cg_1893499200000_1b2c3d4e5f6g7h8i'],
          }),
        allow: z
          .array(deepLinkAllowance)
          .max(3)
          .refine((all) => new Set(all).size === all.length, {
            error: 'may name each permission once',
          })
          .nullish()
          .meta({
            description:
              'For `MANAGE_CONTRACT`: what the customer may do. `CANCEL`: cancel the contract. `PAUSE`: pause and resume it. `PAYMENT_METHOD`: give it another method. Nothing if omitted.',
            example: ['CANCEL', 'PAYMENT_METHOD'],
          }),
        ...changeable,
      })
      .describe('The new link.'),
  })
  .meta({ id: 'CreateDeepLink', description: 'Body of a request that creates a deep link.' })

export type NewDeepLink = z.output<typeof createDeepLinkRequest>['deep_link']

export const updateDeepLinkRequest = z
  .strictObject({
    mode: updateMode
      .optional()
      .describe(
        '`REPLACE` (default): `options`, if given, is replaced whole. `PATCH`: the options that are given are merged into it, and null removes one.',
      ),
    deep_link: z.strictObject(changeable).describe('The members to change; others are kept.'),
  })
  .meta({ id: 'UpdateDeepLink', description: 'Body of a request that changes a deep link.' })

export type DeepLinkChange = z.output<typeof updateDeepLinkRequest>['deep_link']

export const deepLinkStatus = z.enum(['ACTIVE', 'EXHAUSTED', 'EXPIRED'])
export type DeepLinkStatus = z.output<typeof deepLinkStatus>

export const deepLinkUse = z
  .strictObject({
    done: z
      .enum(['PAYMENT_METHOD_SAVED', 'CONTRACT_CANCELLED', 'CONTRACT_PAUSED', 'CONTRACT_RESUMED'])
      .describe('What the customer did.'),
    payment_method: z.string().nullable().describe('Id of the saved method; null if none was.'),
    contract: z.string().nullable().describe('Id of the contract; null if there is none.'),
  })
  .describe('What a customer did last; null before, and for `PAY`.')

export type DeepLinkUse = z.output<typeof deepLinkUse>

export const deepLink = z
  .strictObject({
    id: recordText('Deep link id; begins with `dl_`.', 'dl_lp9c7k00_7hY2nWq4Rt8VbN5sLw1ZyC3d'),
    slug: z.string().nullable().meta({
      description: 'The chosen end of the address; null if the id stands there.',
      example: 'donate',
    }),
    url: z.string().meta({
      format: 'uri',
      description: 'Address of the page, for the payer.',
      example: 'https://pay.shop.example/go/donate',
    }),
    action: deepLinkAction,
    status: deepLinkStatus.describe(
      '`ACTIVE`: can be used. `EXHAUSTED`: it was used `max_uses` times. `EXPIRED`: its time has passed.',
    ),
    archived: instantOrNull.describe(
      'When the link was archived and so can no longer be used; null if it was not.',
    ),
    account: relation(account).describe('The customer; null for `PAY`. Expandable.'),
    contract: relation(contract).describe('The contract; null if there is none. Expandable.'),
    charges: z
      .array(z.union([z.string(), charge]))
      .nullable()
      .describe('The charges to pay; null if none were named. Expandable.'),
    allow: z
      .array(deepLinkAllowance)
      .nullable()
      .describe('What the customer may do with the contract; null for nothing.'),
    options: paymentLinkOptions,
    options_v: z.int().min(1).describe('Version of the options.'),
    max_uses: z.int().nullable().describe('How often it can be used; null for no limit.'),
    uses: z.int().describe('How often it was paid, or its task was done.'),
    reserved_uses: z
      .int()
      .describe(
        'Payments and saved methods under way, pending ones included. They count against `max_uses` until they fail.',
      ),
    last_use: deepLinkUse.nullable(),
    last_used: instantOrNull.describe(
      'When it was last paid, or its task was last done; null before.',
    ),
    expires: instantOrNull.describe('When the link can no longer be used; null for never.'),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({
    id: 'DeepLink',
    description: 'A link that several payers can use, or that leads to one task of a customer.',
  })

export type DeepLink = z.output<typeof deepLink>

export const deepLinkResponse = z.strictObject({ deep_link: deepLink })
