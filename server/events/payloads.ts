import { z } from 'zod'
import { account } from '../../shared/schemas/account.ts'
import { charge } from '../../shared/schemas/charge.ts'
import { alertChange } from '../../shared/schemas/checkout-alert.ts'
import { checkoutRecord } from '../../shared/schemas/checkout-record.ts'
import { contract } from '../../shared/schemas/contract.ts'
import { deepLink } from '../../shared/schemas/deep-link.ts'
import { event } from '../../shared/schemas/event.ts'
import { legalEntity } from '../../shared/schemas/legal-entity.ts'
import { legalEntityRoutesResponse } from '../../shared/schemas/legal-entity-route.ts'
import { payment } from '../../shared/schemas/payment.ts'
import { paymentLink } from '../../shared/schemas/payment-link-record.ts'
import { paymentMethod } from '../../shared/schemas/payment-method.ts'
import { processor } from '../../shared/schemas/processor.ts'
import { refund } from '../../shared/schemas/refund.ts'
import { reversal } from '../../shared/schemas/reversal.ts'
import { voided } from '../../shared/schemas/void.ts'
import { instanceWebhook } from '../../shared/schemas/webhook.ts'
import type { DescribedEvent } from '../http/openapi/webhooks.ts'
import { EVENT_TYPES, type EventType } from './event-types.ts'

const DESCRIPTIONS: Record<EventType, string> = {
  'account.anonymised': 'What identified a customer was removed for good.',
  'account.created': 'An account was created.',
  'account.updated': 'An account was changed.',
  'capture.decline': 'A capture was declined.',
  'capture.pending': 'A capture was accepted; its outcome is decided later.',
  'capture.success': 'A capture succeeded.',
  'capture.unresolved':
    'The outcome of a capture is unknown; the server keeps querying the processor.',
  'charge.created': 'A charge was created.',
  'charge.paid': 'A charge was paid in full.',
  'charge.payer_needed':
    'A collection was declined because the bank wants the customer to confirm; ask the customer to pay.',
  'charge.reactivated': 'A charge that was written off is collectable again.',
  'charge.updated': 'A charge was changed.',
  'charge.writtenoff': 'A charge was written off.',
  'checkout.abandoned': 'A checkout session ended unpaid after its payer had begun.',
  'checkout.completed': 'A payment of a checkout session succeeded.',
  'checkout.expired': 'A checkout session ended before its payer had begun.',
  'checkout.opened': 'A payer opened a checkout session.',
  'checkout.submitted': 'A payer submitted a payment.',
  'checkout_monitor.alert': 'An alert about checkout sessions went on.',
  'checkout_monitor.recovered': 'An alert about checkout sessions went off.',
  'contract.created': 'A contract was created.',
  'contract.ended': 'A contract ended or was cancelled.',
  'contract.updated': 'A contract was changed.',
  'legal_entity.archived': 'A legal entity was archived.',
  'legal_entity.created': 'A legal entity was created.',
  'legal_entity.updated': 'A legal entity was changed, or became or ceased to be the default.',
  'legal_entity_route.updated': 'The routes of legal entities, or their order, were changed.',
  'deep_link.archived': 'A deep link was archived.',
  'deep_link.created': 'A deep link was created.',
  'deep_link.exhausted': 'A deep link was used as often as it may be.',
  'deep_link.expired': 'A deep link expired.',
  'deep_link.updated': 'A deep link was changed.',
  'deep_link.used': 'A payment on a deep link succeeded, or a customer did its task.',
  'payment.cancelled': 'A scheduled payment was cancelled.',
  'payment.decline': 'A payment was declined.',
  'payment.pending': 'A payment was accepted; its outcome is decided later.',
  'payment.scheduled': 'A payment was scheduled.',
  'payment.success': 'A payment or authorization succeeded.',
  'payment.surplus':
    'Money arrived when its link was paid already, or after a decline; it is being refunded.',
  'payment.unresolved':
    'The outcome of a payment is unknown; the server keeps querying the processor.',
  'payment.voided': 'An authorization was voided.',
  'payment_link.archived': 'A payment link was archived.',
  'payment_link.created': 'A payment link was created.',
  'payment_link.expired': 'A payment link expired.',
  'payment_link.opened': 'A payment link was opened for the first time.',
  'payment_link.payment_failed':
    'The pending payment of a link failed; the link can be paid again.',
  'payment_link.payment_pending': 'A payment on a link was accepted; its outcome is decided later.',
  'payment_link.payment_success': 'A payment link was paid.',
  'payment_link.updated': 'A payment link was changed.',
  'payment_method.created': 'A payment method was stored.',
  'payment_method.removed': 'A payment method was removed.',
  'payment_method.updated': 'A stored payment method was saved again or changed.',
  'processor.broken':
    'A processor refuses its key; payers are not offered its methods until it has another.',
  'processor.created': 'A processor was connected.',
  'processor.disabled': 'A processor was disabled; it takes no new payments.',
  'processor.updated': 'A processor was changed, or accepts its key again.',
  'refund.declined': 'A refund was declined.',
  'refund.failed': 'The money of a refund that had succeeded came back.',
  'refund.pending': 'A refund is in progress, or is to be made manually.',
  'refund.success': 'A refund succeeded.',
  'refund.unresolved':
    'The outcome of a refund is unknown; the server keeps querying the processor.',
  'reversal.closed':
    'A dispute was won or lost, a debit was returned, you refunded a payment at the processor, or a refund came back.',
  'reversal.opened': 'A payment was disputed.',
  'reversal.updated': 'An open dispute changed, such as the time until which evidence is taken.',
  'strings.updated': 'Strings of one set were changed.',
  'void.declined': 'A void was declined.',
  'void.pending': 'A void was accepted; its outcome is decided later.',
  'void.unresolved': 'The outcome of a void is unknown; the server keeps querying the processor.',
  'webhook.disabled':
    'A webhook was disabled because its deliveries kept failing or it returned 410.',
  'webhook.test': 'A test, which you asked for. It goes to one webhook only.',
}

const changedStrings = z
  .strictObject({
    language: z.string().meta({ description: 'The language that was written, or default.' }),
    branding: z.string().nullable().meta({ description: 'Key of the branding; null for none.' }),
    ids: z.array(z.string()).meta({ description: 'Ids of the changed strings.' }),
  })
  .meta({ id: 'ChangedStrings', description: 'Which strings were changed.' })

/** The data of an event, by the first part of its type. */
const DATA: Record<ResourceOf<EventType>, z.ZodObject> = {
  account: z.strictObject({ account }),
  capture: z.strictObject({ capture: payment }),
  charge: z.strictObject({ charge }),
  checkout: z.strictObject({ checkout: checkoutRecord }),
  checkout_monitor: z.strictObject({ checkout_monitor: alertChange }),
  contract: z.strictObject({ contract }),
  legal_entity: z.strictObject({ legal_entity: legalEntity }),
  legal_entity_route: legalEntityRoutesResponse,
  deep_link: z.strictObject({ deep_link: deepLink }),
  payment: z.strictObject({ payment }),
  payment_link: z.strictObject({ payment_link: paymentLink }),
  payment_method: z.strictObject({ payment_method: paymentMethod }),
  processor: z.strictObject({ processor }),
  refund: z.strictObject({ refund }),
  reversal: z.strictObject({ reversal }),
  strings: z.strictObject({ strings: changedStrings }),
  void: z.strictObject({ void: voided }),
  webhook: z.strictObject({ instance_webhook: instanceWebhook }),
}

type ResourceOf<Type extends string> = Type extends `${infer Resource}.${string}` ? Resource : never

/** Returns every event type with the schema of its webhook body. */
export function describedEvents(): DescribedEvent[] {
  return EVENT_TYPES.map((type) => ({
    type,
    description: DESCRIPTIONS[type],
    body: z
      .strictObject({
        event: event
          .extend({
            type: z.literal(type).meta({ description: DESCRIPTIONS[type] }),
            data: DATA[resourceOf(type)].meta({
              description: 'The record as it was at that moment, with relations as ids.',
            }),
          })
          .meta({ description: 'The event type and its record.' }),
      })
      .meta({ id: `${pascalCase(type)}Event`, description: DESCRIPTIONS[type] }),
  }))
}

function resourceOf(type: EventType): ResourceOf<EventType> {
  return type.split('.')[0] as ResourceOf<EventType>
}

/** `payment_link.payment_success` is `PaymentLinkPaymentSuccess`. */
function pascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
