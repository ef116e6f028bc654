import { z } from 'zod'
import { containsCardNumber } from '../rules/card-in-text.ts'
import { sessionMembers } from './actor-session.ts'
import {
  instantOrNull,
  NO_CARD_NUMBER,
  recordMembers,
  recordText,
  recordTextOrNull,
} from './common.ts'

const KEY_MAX = 255
/** Enough for every currency. */
const SETTING_MAX = 2000

/** A prefix and what is random, as every processor writes keys. The adapter knows its own forms. */
const key = z
  .string()
  .max(KEY_MAX)
  .regex(/^[A-Za-z]{2,8}_[\w+/=-]{8,}$/, { error: 'must be a key of the processor' })

/** Is never returned. */
const secret = (description: string, example: string) =>
  key.meta({ description, example, format: 'password', writeOnly: true })

const keys = {
  secret_key: secret(
    'Secret or restricted key of the account at the processor, in the mode of the instance.',
    'rk_test_51Example0Restricted0Key',
  ),
  publishable_key: key.meta({
    description: 'Publishable key of the same account and mode.',
    example: 'pk_test_51Example0Publishable0Key',
  }),
}

const webhookSecret = secret(
  'Signing secret of a webhook endpoint that you made yourself. Without it, the endpoint is made for you.',
  'whsec_Example0Signing0Secret',
)

/** The adapter checks the settings; what is stored never contains a card number. */
const settings = z.record(z.string().max(64), z.unknown()).superRefine((members, context) => {
  for (const [name, value] of Object.entries(members)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const issue = (message: string) => context.addIssue({ code: 'custom', path: [name], message })
    if (text.length > SETTING_MAX) issue(`must be at most ${SETTING_MAX} characters`)
    else if (containsCardNumber(text)) issue(NO_CARD_NUMBER.error)
  }
})

const ADAPTER = z.enum(['stripe'])

export const createProcessorRequest = z
  .strictObject({
    processor: z
      .strictObject({
        name: ADAPTER.describe('The processor.'),
        ...keys,
        webhook_secret: webhookSecret.nullish(),
        settings: settings.nullish().meta({
          description: 'Settings of this processor; see [processors](processors.md).',
          example: { methods: ['CARD'] },
        }),
      })
      .describe('The processor to connect.'),
  })
  .meta({ id: 'CreateProcessor', description: 'Body of a request that connects a processor.' })

export type NewProcessor = z.output<typeof createProcessorRequest>['processor']

export const updateProcessorRequest = z
  .strictObject({
    processor: z
      .strictObject({
        ...keys,
        webhook_secret: webhookSecret,
        settings: settings.meta({
          description: 'The settings to change; others are kept. Null restores the default.',
          example: { methods: ['CARD', 'IDEAL'] },
        }),
      })
      .partial()
      .describe('The members to change; others are kept.'),
  })
  .meta({ id: 'UpdateProcessor', description: 'Body of a request that changes a processor.' })

export type ProcessorChange = z.output<typeof updateProcessorRequest>['processor']

export const checkProcessorRequest = z.strictObject({})

export const rotateWebhookSecretRequest = z
  .strictObject({
    processor: z
      .strictObject({
        webhook_secret: webhookSecret.optional(),
      })
      .optional()
      .describe('The new secret, where you made the webhook endpoint yourself.'),
  })
  .meta({
    id: 'RotateProcessorWebhookSecret',
    description: 'Body of a request that replaces the signing secret of a webhook endpoint.',
  })

const webhook = z
  .strictObject({
    url: recordTextOrNull(
      'Where the processor sends notifications; null while `BASE_URL` is an address of this machine.',
      'https://pay.shop.example/processors/stripe/webhooks/pr_1893499200000_3p4r5s6t7u8v9w0x',
    ),
    status: z
      .enum(['AUTOMATIC', 'MANUAL', 'MISSING', 'OFF'])
      .describe(
        '`AUTOMATIC`: the endpoint was made for you. `MANUAL`: you made it. `MISSING`: enter `url` and `events` at the processor, and its signing secret here. `OFF`: the server is not reachable for the processor. Without notifications, the processor is asked from time to time.',
      ),
    events: z.array(z.string()).meta({
      description: 'The types of event that the processor is to send.',
      example: ['payment_intent.succeeded', 'charge.dispute.created'],
    }),
    last_heard: instantOrNull.describe(
      'When the last authentic notification came; null before the first.',
    ),
  })
  .meta({ id: 'ProcessorWebhook', description: 'How the processor reports what has changed.' })

export const processor = z
  .strictObject({
    id: recordText('Processor id; begins with `pr_`.', 'pr_1893499200000_3p4r5s6t7u8v9w0x'),
    name: ADAPTER.describe('The processor.'),
    mode: z.enum(['TEST', 'LIVE']).describe('The mode of its keys and of the instance.'),
    status: z
      .enum(['ACTIVE', 'BROKEN', 'DISABLED'])
      .describe(
        '`ACTIVE`: takes payments. `BROKEN`: the processor refuses the key, so payers are not offered its methods. `DISABLED`: takes no new payments, and is kept for refunds.',
      ),
    publishable_key: recordText(
      'Publishable key, which browsers receive.',
      'pk_test_51Example0Publishable0Key',
    ),
    key_hint: recordText('Beginning and end of the secret key.', 'rk_…0Key'),
    account: recordTextOrNull(
      'The processor’s id of the account that is paid; null if unknown.',
      'acct_1ExampleAccount',
    ),
    webhook,
    methods: z.array(z.string()).meta({
      description: 'Types of payment methods that payers are offered.',
      example: ['CARD'],
    }),
    settings: z.record(z.string(), z.unknown()).meta({
      description: 'Settings of this processor; see [processors](processors.md).',
      example: { methods: ['CARD'], saved_csc: 'ASK' },
    }),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({
    id: 'Processor',
    description: 'An account at a payment processor that the instance has connected.',
  })

export type ProcessorRecord = z.output<typeof processor>

export const processorResponse = z.strictObject({ processor })
