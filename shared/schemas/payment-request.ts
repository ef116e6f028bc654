import { z } from 'zod'
import { accountDetails } from './account.ts'
import {
  altKey,
  currency,
  flagOrNone,
  instant,
  merchantKey,
  notes,
  positiveAmount,
  processorToken,
  text,
} from './common.ts'

/** Requests to create, capture, refund and void a payment. */

const PARTS_MAX = 100

const recordId = (prefix: string) =>
  z
    .string()
    .max(255)
    .regex(new RegExp(`^${prefix}_[0-9]+_[0-9a-z]+$`), {
      error: `must be an id that begins with ${prefix}_`,
    })

/** Charges that an amount is for, or is refunded from. */
const parts = z
  .array(
    z.strictObject({
      charge: recordId('cg').meta({
        description: 'The charge.',
        example: 'cg_1893499200000_1b2c3d4e5f6g7h8i',
      }),
      amount: positiveAmount.meta({
        description: 'Amount of the part, in major units.',
        example: '12.00',
      }),
    }),
  )
  .min(1)
  .max(PARTS_MAX)
  .refine((all) => new Set(all.map(({ charge }) => charge)).size === all.length, {
    error: 'may name each charge once',
  })

const newMethod = z.strictObject({
  token: processorToken.meta({
    description:
      "Token that the processor's script created from the card or account. Card numbers are rejected.",
    example: 'tok_4242',
  }),
  type: z
    .string()
    .regex(/^[A-Z_]{2,32}$/, { error: 'must be a method type such as CARD' })
    .nullish()
    .meta({ description: 'Type of the method; `CARD` if omitted.', example: 'CARD' }),
  processor: text(64).nullish().meta({
    description:
      'Processor that created the token: `sandbox`, or the id of a connected one (`pr_…`). Required only if two processors offer the type.',
    example: 'sandbox',
  }),
  save: flagOrNone.describe(
    'True stores the method for later payments, once the payment succeeds; it needs an `account`, and the consent of the payer. Required for `recurring`.',
  ),
})

/** How often a contract charges. */
const rhythm = z.strictObject({
  frequency: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']).describe('Unit of time between two charges.'),
  interval: z.int().min(1).max(366).nullish().meta({
    description: 'Number of units between two charges; 1 if omitted.',
    example: 1,
  }),
  count: z.int().min(1).max(10_000).nullish().meta({
    description: 'How many charges there are in all, the first included. It excludes `until`.',
    example: 12,
  }),
  until: instant
    .nullish()
    .describe('The last moment at which a charge may fall due. It excludes `count`.'),
})

const hasOneEnd = ({ count, until }: z.output<typeof rhythm>) => count == null || until == null
const ONE_END = { error: 'may have count or until, not both' }

export const recurring = rhythm.refine(hasOneEnd, ONE_END)

/** The longest free period of a contract, in days. */
const TRIAL_DAYS_MAX = 730

/** How often the contract of a link charges. Only a payer at a page can begin with a free period. */
export const linkRecurring = rhythm
  .extend({
    trial_days: z.int().min(1).max(TRIAL_DAYS_MAX).nullish().meta({
      description:
        'Days of a free period before the first charge. The page saves the method and takes nothing.',
      example: 14,
    }),
  })
  .refine(hasOneEnd, ONE_END)

export const createPaymentRequest = z
  .strictObject({
    payment: z
      .strictObject({
        action: z
          .enum(['PAYMENT', 'AUTH'])
          .nullish()
          .describe(
            '`PAYMENT` (default) charges the method. `AUTH` only authorizes the amount, for a later capture or void.',
          ),
        amount: positiveAmount.meta({
          description: 'Amount in major units, with no more decimal places than the currency has.',
          example: '24.00',
        }),
        currency: currency
          .nullish()
          .describe('Currency, ISO 4217; that of the instance if omitted.'),
        account: z
          .union([recordId('acc'), accountDetails])
          .nullish()
          .meta({
            description:
              'The payer: an account id, or details of an account, which is found by its `crm_key` and updated, or created. If omitted, the account of the stored method.',
            example: 'acc_1893499200000_0a1b2c3d4e5f6g7h',
          }),
        payment_method: z.union([recordId('pm'), newMethod]).meta({
          description: 'The id of a stored method, or a token of the processor for a new one.',
          example: 'pm_1893499200000_4e5f6g7h8i9j0k1l',
        }),
        alt_key: altKey.nullish().meta({
          description:
            'Your reference. It need not be unique; whether upper or lower case makes no difference when it is searched for.',
          example: 'order-1001',
        }),
        description: text(1000).nullish().describe('Description of the payment.'),
        reason: text(255)
          .nullish()
          .describe('Description of the payment if `description` is omitted.'),
        source: z
          .enum(['ECOMMERCE', 'MOTO', 'RECURRING'])
          .nullish()
          .describe(
            'Where the payment comes from: the web (`ECOMMERCE`), a letter or call (`MOTO`), or a series (`RECURRING`, the default with `recurring`).',
          ),
        channel: text(64).nullish().meta({ description: 'Sales channel.', example: 'web' }),
        legal_entity: recordId('le').nullish().meta({
          description:
            'Id of the legal entity that is paid. If omitted, the one of the charges, else of the first route that holds, else the default.',
          example: 'le_1893499200000_5f6g7h8i9j0k1l2m',
        }),
        metadata: notes.nullish().meta({
          description: 'Your own key-value pairs: up to 50, 16,384 characters as JSON.',
          example: { cart: 'c_1001' },
        }),
        due: instant
          .nullish()
          .describe(
            'When to take the money, from a stored method. In the future, it makes a charge and a payment that is `SCHEDULED`; a past date means now. Not for `AUTH`.',
          ),
        recurring: recurring
          .nullish()
          .describe(
            'Makes a contract that charges the same amount again and again, beginning now or at `due`. Not for `AUTH`.',
          ),
        parts: parts
          .nullish()
          .describe(
            'Charges that the payment is for, of the same account and currency, together not more than `amount`. Not with `AUTH`, `due` or `recurring`.',
          ),
        timeout: z
          .int()
          .min(1)
          .max(60)
          .nullish()
          .describe('Seconds to wait for the processor; the server may wait less.'),
      })
      .describe('The payment to make.'),
  })
  .meta({
    id: 'TakePayment',
    description:
      'Body of a request that creates a payment, an authorization, or a scheduled or recurring payment.',
  })

export type PaymentRequest = z.output<typeof createPaymentRequest>['payment']

export const capturePaymentRequest = z
  .strictObject({
    capture: z
      .strictObject({
        amount: positiveAmount.nullish().meta({
          description: 'Amount to capture, in major units; the whole open amount if omitted.',
          example: '10.00',
        }),
        currency: currency
          .nullish()
          .describe('Currency of the authorization. Any other is refused.'),
        final: flagOrNone.describe('True: the remaining amount is released.'),
        alt_key: altKey.nullish().meta({
          description: 'Your reference of the capture; that of the authorization if omitted.',
          example: 'order-1001',
        }),
        description: text(1000)
          .nullish()
          .describe('Description of the capture; that of the authorization if omitted.'),
      })
      .nullish()
      .describe('How much to capture. Left out or `{}`, all that is open.'),
  })
  .meta({
    id: 'CapturePayment',
    description:
      'Body of a request that captures an authorization. Without one, all that is open is captured.',
  })

export type CaptureRequest = NonNullable<z.output<typeof capturePaymentRequest>['capture']>

export const refundPaymentRequest = z
  .strictObject({
    refund: z
      .strictObject({
        amount: positiveAmount.nullish().meta({
          description: 'Amount to refund, in major units; the whole refundable amount if omitted.',
          example: '10.00',
        }),
        currency: currency.nullish().describe('Currency of the payment. Any other is refused.'),
        reason: text(255)
          .nullish()
          .meta({ description: 'Why it is refunded.', example: 'Returned' }),
        offline: flagOrNone.describe(
          'True only records a refund that you made another way; no money moves.',
        ),
        reference: merchantKey.nullish().meta({
          description:
            'Reference for the customer, unique in the instance; made by the server if omitted.',
          example: 'CREDIT-17',
        }),
        parts: parts
          .nullish()
          .describe(
            'Charges from which the refund is taken; the amounts must add up to the whole refund. If omitted, the last part of the payment is refunded first.',
          ),
      })
      .nullish()
      .describe('How much to refund. Left out or `{}`, all that is left.'),
  })
  .meta({
    id: 'RefundPayment',
    description:
      'Body of a request that refunds a payment. Without one, all that is left is refunded.',
  })

export type RefundRequest = NonNullable<z.output<typeof refundPaymentRequest>['refund']>

export const voidPaymentRequest = z
  .strictObject({
    void: z.strictObject({}).nullish().describe('Has no members: all that is open is released.'),
  })
  .meta({
    id: 'VoidPayment',
    description: 'Body of a request that voids an authorization. It may be omitted.',
  })

export const checkPaymentRequest = z.strictObject({})

export const decideRefund = z
  .strictObject({
    refund: z
      .strictObject({
        status: z
          .enum(['SUCCESS', 'DECLINED'])
          .describe(
            'The outcome of a manual refund: `SUCCESS`, or `DECLINED`, which makes the amount refundable again.',
          ),
      })
      .describe('The outcome of the refund.'),
  })
  .meta({
    id: 'DecideRefund',
    description: 'Body of a request that resolves a manual refund.',
  })
