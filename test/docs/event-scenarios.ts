import { evaluateAlerts } from '../../server/checkout-monitor/evaluate-alerts.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { inTransaction } from '../../server/db/transaction.ts'
import { recordReversal } from '../../server/payments/record-reversal.ts'
import { syncReversals } from '../../server/payments/sync-reversals.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { closeExpiredSessions } from '../../server/checkouts/close-sessions.ts'
import { recordDeepLinkExpiries } from '../../server/deep-links/expire.ts'
import { recordExpiries } from '../../server/payment-links/expire.ts'
import { newDispute, refundOperation } from '../dispute.ts'
import { CARDS, cardNumberFor } from '../cards.ts'
import { newDeepLink } from '../deep-links.ts'
import { newWebhook, startReceiver, deliverAll } from '../webhook-receiver.ts'
import type { Merchant, TestApp } from '../app.ts'
import { connectStripe } from '../stripe-fake/connect.ts'
import type { StripeFake } from '../stripe-fake/start.ts'
import { DAY_MS, stubProcessor, openPaymentsClient } from '../payments-client.ts'
import {
  cardToken,
  newLink,
  openNewLink,
  openPayerClient,
  openPayerClientAt,
  payNewLink,
  returnFromBank,
} from '../payer-client.ts'
import { unendable } from '../unendable-processor.ts'

/** What happens, and the types of event that tell of it, each once. */
export type EventScenario = [types: string[], happens: () => Promise<unknown>]

/** Returns scenarios that together record every type of event, in the order of one history. */
export function eventScenarios(
  app: TestApp,
  merchant: Merchant,
  fake: StripeFake,
): EventScenario[] {
  return [
    ...storiesOfLinks(app, merchant),
    ...storiesOfPayments(app, merchant),
    ...storiesOfDebts(app, merchant),
    ...storiesOfSettings(app, merchant),
    ...storiesOfDisputes(app, merchant),
    ...storiesOfEntities(merchant),
    ...storiesOfProcessors(app, merchant, fake),
  ]
}

const SILENCE = () => Promise.reject(new Error('connection reset'))
const REFUSAL = async () => ({ status: 'ERROR', message: 'The bank declined it.' }) as const
const CONFIRMATION = {
  status: 'DECLINED',
  reference: 'r_2',
  code: 'AUTHENTICATION_REQUIRED',
  message: 'The bank wants the customer to confirm.',
} as const
const WAITING = async () =>
  ({ status: 'PENDING', reference: 'r_1', check_after_ms: DAY_MS }) as const

function inDays(app: TestApp, days: number): string {
  return new Date(app.now() + days * DAY_MS).toISOString()
}

function storiesOfLinks(app: TestApp, merchant: Merchant): EventScenario[] {
  const { deps } = app.checkstand
  const put = (path: string, body: object) => merchant.api(path, { method: 'PUT', body })
  const customer = {
    crm_key: 'customer-17',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
  }
  const order = { amount: '24.00', currency: 'EUR', name: 'Two bags of coffee' }
  const link = { id: '' }
  const payer = async (options: object = order) =>
    openPayerClient(app, (await newLink(merchant, { ...options })).id)
  return [
    [['account.created'], () => merchant.api('/accounts', { body: { account: customer } })],
    [
      ['account.updated'],
      () => put('/accounts/customer-17', { account: { phone: '+44 20 7946 0000' } }),
    ],
    [
      ['account.anonymised'],
      async () => {
        const former = { crm_key: 'customer-3', first_name: 'Grace', last_name: 'Hopper' }
        const { json } = await merchant.api('/accounts', { body: { account: former } })
        return merchant.api(`/accounts/${json.account.id}/anonymise`, { body: {} })
      },
    ],
    [
      ['payment_link.created'],
      async () => {
        const { account } = (await merchant.api('/accounts/customer-17')).json
        const options = { ...order, alt_key: 'order-1001', account: account.id, save_card: true }
        Object.assign(link, await newLink(merchant, options, { state: { cart: 'c_1001' } }))
      },
    ],
    [
      ['payment_link.updated'],
      () =>
        put(`/payment_links/${link.id}`, {
          mode: 'PATCH',
          payment_link: { options: { page_intro: 'Thank you for your order.' } },
        }),
    ],
    [
      ['deep_link.created', 'deep_link.updated', 'deep_link.expired', 'deep_link.archived'],
      async () => {
        const deep_link = { action: 'PAY', slug: 'donate', expires: inDays(app, 1) }
        await merchant.api('/deep_links', { body: { deep_link } })
        await put('/deep_links/donate', { deep_link: { options: { default_amount: '5.00' } } })
        app.pass(DAY_MS)
        await recordDeepLinkExpiries(deps)
        await merchant.api('/deep_links/donate', { method: 'DELETE' })
      },
    ],
    [
      ['deep_link.used', 'deep_link.exhausted'],
      async () => {
        const { url } = await newDeepLink(merchant, order, { max_uses: 1 })
        await (await openPayerClientAt(app, new URL(url).pathname)).payByCard(CARDS.approve)
      },
    ],
    [['checkout.opened', 'payment_link.opened'], () => openPayerClient(app, link.id)],
    [
      [
        'checkout.submitted',
        'checkout.completed',
        'payment_link.payment_success',
        'payment.success',
        'payment_method.created',
      ],
      async () => (await openPayerClient(app, link.id)).payByCard(CARDS.approve),
    ],
    [
      ['payment_link.payment_pending', 'payment.pending'],
      async () => (await payer()).payByCard(CARDS.pendingFailure),
    ],
    [
      ['payment_link.payment_failed', 'payment.decline'],
      async () => {
        app.pass(DAY_MS)
        await reconcileDue(deps)
        await closeExpiredSessions(deps)
      },
    ],
    [
      ['payment_link.archived'],
      async () =>
        merchant.api(`/payment_links/${(await newLink(merchant, order)).id}`, { method: 'DELETE' }),
    ],
    [
      ['payment_link.expired', 'checkout.expired', 'checkout.abandoned'],
      async () => {
        await newLink(merchant, order, { expires: inDays(app, 1) })
        await payer()
        await (await payer()).payByCard(CARDS.decline)
        app.pass(DAY_MS)
        await closeExpiredSessions(deps)
        await recordExpiries(deps)
      },
    ],
  ]
}

type StubResponses = Parameters<typeof stubProcessor>[1]

function storiesOfPayments(app: TestApp, merchant: Merchant): EventScenario[] {
  const paymentsClient = openPaymentsClient(app, merchant)
  const order = { amount: '24.00', alt_key: 'order-1002' }
  const captured = async (answer: StubResponses) => {
    const { id } = await paymentsClient.authorise()
    stubProcessor(app, answer)
    await paymentsClient.capture(id, { amount: '24.00' })
  }
  const refunded = async (answer: StubResponses) => {
    const { id } = await paymentsClient.pay(CARDS.approve, order)
    stubProcessor(app, answer)
    await paymentsClient.refund(id, { amount: '4.00', reason: 'One bag was damaged' })
  }
  const voided = async (answer: StubResponses) => {
    const { id } = await paymentsClient.authorise()
    stubProcessor(app, answer)
    await paymentsClient.release(id)
  }
  return [
    [
      ['payment.surplus'],
      async () => {
        stubProcessor(app, (real) => unendable(real))
        const { payer } = await openNewLink({ ...app, merchant }, { amount: '24.00' })
        const { json } = await payer.payByCard(CARDS.challenge)
        await payer.payByCard(CARDS.approve)
        await returnFromBank(app, json.action.url)
      },
    ],
    [['payment.unresolved'], () => paymentsClient.pay(CARDS.noAnswerTaken, order)],
    [
      ['payment.voided'],
      async () => paymentsClient.release((await paymentsClient.authorise(undefined, order)).id),
    ],
    [['capture.success'], () => captured(() => ({}))],
    [['capture.decline'], () => captured(() => ({ capture: REFUSAL }))],
    [['capture.pending'], () => captured(() => ({ capture: WAITING }))],
    [['capture.unresolved'], () => captured(() => ({ capture: SILENCE }))],
    [['void.declined'], () => voided(() => ({ void: REFUSAL }))],
    [['void.pending'], () => voided(() => ({ void: WAITING }))],
    [['void.unresolved'], () => voided(() => ({ void: SILENCE }))],
    [['refund.success'], () => refunded(() => ({}))],
    [['refund.failed'], () => failRefund(app, merchant)],
    [['refund.declined'], () => refunded(() => ({ refund: REFUSAL }))],
    [['refund.pending'], () => refunded(() => ({ refund: WAITING }))],
    [['refund.unresolved'], () => refunded(() => ({ refund: SILENCE }))],
  ]
}

function storiesOfDebts(app: TestApp, merchant: Merchant): EventScenario[] {
  const { deps } = app.checkstand
  const paymentsClient = openPaymentsClient(app, merchant)
  const put = (path: string, body: object) => merchant.api(path, { method: 'PUT', body })
  const owed = { charge: '', contract: '', method: '', account: '' }
  return [
    [
      ['payment.scheduled', 'charge.created'],
      async () => {
        const { account, method } = await paymentsClient.storeCard()
        const due = inDays(app, 10)
        const payment = await paymentsClient.pay(undefined, {
          account,
          payment_method: method,
          due,
        })
        Object.assign(owed, { charge: payment.charge, method, account })
      },
    ],
    [
      ['charge.updated'],
      () => put(`/charges/${owed.charge}`, { charge: { due: inDays(app, 20) } }),
    ],
    [
      ['charge.writtenoff', 'payment.cancelled'],
      async () => {
        await put(`/charges/${owed.charge}`, { charge: { status: 'WRITTENOFF' } })
        app.pass(30 * DAY_MS)
        await collectDue(deps)
      },
    ],
    [
      ['charge.reactivated'],
      () => put(`/charges/${owed.charge}`, { charge: { status: 'ACTIVE', due: inDays(app, 1) } }),
    ],
    [
      ['charge.paid'],
      async () => {
        app.pass(DAY_MS)
        await collectDue(deps)
      },
    ],
    [
      ['contract.created'],
      async () => {
        const { account, method: payment_method } = owed
        const recurring = { frequency: 'MONTH', count: 12 }
        const payment = await paymentsClient.pay(undefined, { account, payment_method, recurring })
        owed.contract = payment.contract
      },
    ],
    [
      ['contract.updated'],
      () => put(`/contracts/${owed.contract}`, { contract: { status: 'PAUSED' } }),
    ],
    [
      ['charge.payer_needed'],
      async () => {
        const { account, method: payment_method } = owed
        const due = inDays(app, 1)
        await paymentsClient.pay(undefined, { account, payment_method, due })
        app.pass(DAY_MS)
        stubProcessor(app, (real) => {
          let asksPayer = true
          return {
            pay: async (order) => {
              if (!asksPayer) return real.pay(order)
              asksPayer = false
              return CONFIRMATION
            },
          }
        })
        await collectDue(deps)
      },
    ],
    [['contract.ended'], () => merchant.api(`/contracts/${owed.contract}`, { method: 'DELETE' })],
    [
      ['payment_method.updated'],
      async () => {
        const token = await cardToken(app, CARDS.mastercard)
        const { account } = owed
        await paymentsClient.pay(undefined, { account, payment_method: { token, save: true } })
        const again = { token: await cardToken(app, CARDS.mastercard), save: true }
        await paymentsClient.pay(undefined, { account, payment_method: again })
      },
    ],
    [
      ['payment_method.removed'],
      () => merchant.api(`/payment_methods/${owed.method}`, { method: 'DELETE' }),
    ],
  ]
}

function storiesOfDisputes(app: TestApp, merchant: Merchant): EventScenario[] {
  const after = async (days: number) => {
    app.pass(days * DAY_MS)
    await syncReversals(app.checkstand.deps)
  }
  return [
    [
      ['reversal.opened'],
      async () => {
        const order = { amount: '24.00', alt_key: 'order-1003' }
        await openPaymentsClient(app, merchant).pay(cardNumberFor('DISPUTE_WON'), order)
        await after(1)
      },
    ],
    [['reversal.updated'], () => after(3)],
    [['reversal.closed'], () => after(4)],
  ]
}

/** Reports a refund as failed that the sandbox made, which has no test card for it. */
async function failRefund(app: TestApp, merchant: Merchant): Promise<void> {
  const { deps } = app.checkstand
  const client = openPaymentsClient(app, merchant)
  const payment = await client.pay(undefined, { amount: '24.00' })
  const { refund } = (await client.refund(payment.id, { amount: '10.00' })).json
  const operation = await refundOperation(app, refund.id)
  const reversal = {
    ...newDispute(app, { operation }),
    type: 'REFUND_FAILED',
    status: 'WON',
  } as const
  const reported = {
    instanceId: merchant.instance.id,
    processor: 'sandbox',
    reversal: { ...reversal, amount: 1000, due: null },
    now: app.now(),
  }
  await inTransaction(deps.db, (tx) => recordReversal(tx, reported))
}

/** Comes late, because payments that follow belong to an entity. */
function storiesOfEntities({ api }: Merchant): EventScenario[] {
  const company = { legal_name: 'Atelier Nord SAS', country: 'FR' }
  const second = { id: '' }
  return [
    [['legal_entity.created'], () => api('/legal_entities', { body: { legal_entity: company } })],
    [
      ['legal_entity.created'],
      async () => {
        const legal_entity = { legal_name: 'Nord Iberia SL', country: 'ES' }
        const { json } = await api('/legal_entities', { body: { legal_entity } })
        second.id = json.legal_entity.id
      },
    ],
    [
      ['legal_entity.updated'],
      () =>
        api(`/legal_entities/${second.id}`, {
          method: 'PUT',
          body: { legal_entity: { receipt_footer: 'Thank you.' } },
        }),
    ],
    [
      ['legal_entity_route.updated'],
      () =>
        api('/legal_entity_routes', {
          body: { legal_entity_route: { legal_entity: second.id, when: { country: ['ES'] } } },
        }),
    ],
    [
      ['legal_entity.archived'],
      async () => {
        const body = { legal_entity_routes: [] }
        await api('/legal_entity_routes', { method: 'PUT', body })
        await api(`/legal_entities/${second.id}`, { method: 'DELETE' })
      },
    ],
  ]
}

/** Comes last: the sandbox does not serve an instance that has connected a processor. */
function storiesOfProcessors(
  app: TestApp,
  merchant: Merchant,
  { secretKey, publishableKey }: StripeFake,
): EventScenario[] {
  const keys = { secret_key: secretKey, publishable_key: publishableKey }
  const made = { id: '' }
  const put = (processor: object) =>
    merchant.api(`/processors/${made.id}`, { method: 'PUT', body: { processor } })
  return [
    [
      ['processor.created'],
      async () => {
        const body = { processor: { name: 'stripe', ...keys } }
        const { json } = await merchant.api('/processors', { body })
        made.id = json.processor.id
      },
    ],
    [['processor.updated'], () => put({ settings: { methods: ['CARD', 'IDEAL'] } })],
    [['processor.disabled'], () => merchant.api(`/processors/${made.id}`, { method: 'DELETE' })],
    [
      ['processor.broken'],
      async () => {
        const revoked = { publishableKey, secretKey: 'sk_test_51Revoked0Key' }
        const { processor } = await connectStripe(app, merchant, revoked)
        for (let n = 1; n <= 5; n += 1) await processor.forget?.('cus_1:pm_1').catch(() => {})
      },
    ],
  ]
}

function storiesOfSettings(app: TestApp, merchant: Merchant): EventScenario[] {
  return [
    [
      ['strings.updated'],
      () =>
        merchant.api('/strings/checkout.pay', {
          method: 'PUT',
          body: { string: { text: 'Donate {amount}' } },
        }),
    ],
    [
      ['checkout_monitor.alert'],
      async () => {
        const alert = { name: 'No payments', measure: 'SUBMITTED', below: 9, window_minutes: 5 }
        const checkout_monitor = { alerts: [{ ...alert, minimum: 1 }] }
        await merchant.api('/checkout_monitor/alerts', {
          method: 'PUT',
          body: { checkout_monitor },
        })
        await openNewLink({ ...app, merchant })
        await evaluateAlerts(app.checkstand.deps)
      },
    ],
    [
      ['checkout_monitor.recovered'],
      async () => {
        for (let n = 0; n < 10; n += 1) await payNewLink({ ...app, merchant }, CARDS.approve)
        app.pass(60_000)
        await evaluateAlerts(app.checkstand.deps)
      },
    ],
    [
      ['webhook.disabled'],
      async () => {
        const receiver = await startReceiver()
        receiver.answer(410)
        await newWebhook(merchant, receiver.url)
        await newLink(merchant)
        await deliverAll(app)
      },
    ],
    [
      ['webhook.test'],
      async () => {
        const { id } = await newWebhook(merchant, (await startReceiver()).url)
        await merchant.api(`/instance_webhooks/${id}/test`, { method: 'POST' })
      },
    ],
  ]
}
