import { z } from 'zod'
import {
  currency,
  flag,
  instantOrNull,
  recordText,
  processorToken,
  recordTextOrNull,
  text,
} from './common.ts'
import { deepLinkAction, deepLinkAllowance } from './deep-link.ts'

/** What the page of a customer's task and the server exchange. */

export const openTaskRequest = z
  .strictObject({
    token: text(200).nullish().meta({
      description: 'The token of the session that this browser has opened before.',
    }),
    language: text(35).nullish().meta({ description: 'Language of the page.', example: 'fr' }),
  })
  .meta({ id: 'OpenTask', description: 'Body of a request that opens the session of a task.' })

export type OpenTaskRequest = z.output<typeof openTaskRequest>

export const saveTaskMethodRequest = z
  .strictObject({
    attempt_key: z.uuid().meta({
      description: 'Key of one press of the button: a repeat with it saves nothing twice.',
      example: '8f14e45f-ceea-4671-a1bb-2c5e7e1e6a90',
    }),
    payment_method: z
      .strictObject({
        type: text(64).meta({ description: 'Type of the method.', example: 'CARD' }),
        processor: text(64).meta({ description: 'Processor of the method.', example: 'sandbox' }),
        token: processorToken.meta({
          description: 'Token of the entered details.',
          example: 'tok_2b7e1516',
        }),
      })
      .describe('The method to save.'),
  })
  .meta({ id: 'SaveTaskMethod', description: 'Body of a request that saves a payment method.' })

export type SaveTaskMethod = z.output<typeof saveTaskMethodRequest>

export const changeTaskContractRequest = z
  .strictObject({
    change: z.enum(['CANCEL', 'PAUSE', 'RESUME']).meta({
      description: 'What to do with the contract; the deep link has to allow it.',
      example: 'PAUSE',
    }),
  })
  .meta({ id: 'ChangeTaskContract', description: 'Body of a request that changes a contract.' })

export type ContractTaskChange = z.output<typeof changeTaskContractRequest>['change']

const shownMethod = z
  .strictObject({
    type: recordText('Type of the method.', 'CARD'),
    brand: recordTextOrNull('Brand of the card; null for other methods.', 'visa'),
    last4: recordTextOrNull('Last four digits.', '4242'),
    expired: flag.describe('Whether it can no longer be charged.'),
  })
  .describe('What the customer recognizes the method by.')

export const deepLinkTask = z
  .strictObject({
    action: deepLinkAction,
    contract: z
      .strictObject({
        description: recordTextOrNull('Description of the contract; null if it has none.'),
        amount: recordText('Amount of each payment, in major units.', '9.90'),
        currency: currency.describe('Currency of the amount, ISO 4217.'),
        currency_digits: z
          .int()
          .meta({ description: 'Decimal places of the currency.', example: 2 }),
        frequency: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']).describe('Unit of the interval.'),
        interval: z.int().meta({ description: 'Units between two payments.', example: 1 }),
        next_due: instantOrNull.describe('When the next payment is due; null if none is.'),
        status: z
          .enum(['ACTIVE', 'PAUSED', 'ENDED', 'CANCELLED'])
          .describe('Status of the contract.'),
        payment_method: shownMethod
          .nullable()
          .describe('The method that is charged; null if there is none.'),
      })
      .nullable()
      .describe('The contract of the task; null if there is none.'),
    allow: z.array(deepLinkAllowance).describe('What the customer may do with the contract.'),
    result: z
      .strictObject({
        outcome: z
          .enum(['SAVED', 'PENDING', 'ACTION', 'DECLINED'])
          .describe(
            '`SAVED`: the method is saved. `PENDING`: the outcome is not known yet. `ACTION`: the customer has to confirm at `action_url`. `DECLINED`: nothing was saved.',
          ),
        message_id: recordTextOrNull('String id of the message; null if there is none.'),
        action_url: recordTextOrNull('Page of the bank; null unless the customer has to confirm.'),
        payment_method: shownMethod.nullable().describe('The saved method; null if there is none.'),
      })
      .nullable()
      .describe('The newest attempt of the session to save a method; null before.'),
    return_url: recordTextOrNull(
      'Where a button leads back to the merchant; null without `success_url`, and before a method is saved.',
      'https://shop.example/account?status=COMPLETED',
    ),
  })
  .meta({ id: 'DeepLinkTask', description: 'The task of a customer, as its page shows it.' })

export type DeepLinkTask = z.output<typeof deepLinkTask>

export const taskResponse = z.strictObject({ task: deepLinkTask })

export const openTaskResponse = z.strictObject({
  status: z
    .enum(['OPEN', 'IN_USE'])
    .describe('`OPEN`: the session is opened. `IN_USE`: another browser has the session.'),
  token: recordTextOrNull('Token of the session; null when another browser has it.'),
  free_at: instantOrNull.describe(
    'When the other session ends, unless it is used; null when opened.',
  ),
  task: deepLinkTask.nullable().describe('The task; null when another browser has it.'),
})

export type OpenTaskResponse = z.output<typeof openTaskResponse>
