import { z } from 'zod'
import {
  commonErrors,
  flatError,
  idempotencyErrors,
  nestedError,
} from '../../shared/schemas/error-bodies.ts'
import { payment, paymentResponse } from '../../shared/schemas/payment.ts'
import {
  capturePaymentRequest as captureBody,
  checkPaymentRequest as checkBody,
  refundPaymentRequest as refundBody,
  createPaymentRequest as takeBody,
  voidPaymentRequest as voidBody,
} from '../../shared/schemas/payment-request.ts'
import { refundResponse } from '../../shared/schemas/refund.ts'
import { voidResponse } from '../../shared/schemas/void.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { type ReserveKey, idempotentOperation, idempotentRepeatable } from '../http/idempotency.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { requireStepUp } from '../http/step-up.ts'
import { callDurationMaxMs } from './call-processor.ts'
import { capturePayment } from './capture.ts'
import { checkPayment } from './check-payment.ts'
import { PAYMENT_FILTERS } from './filters.ts'
import { lookupAuthorization, lookupPayment } from './lookup.ts'
import { needsStepUp, requireWithinSupportMax } from './refund-limits.ts'
import { refundPayment } from './refund.ts'
import { getRefund, serializeRefund } from './refunds.ts'
import { getPayment, listPayments, serializePayments } from './store.ts'
import { type Caller, createPayment } from './create-payment.ts'
import { syncPayment } from './sync-status.ts'
import { voidAuthorization } from './void.ts'
import { getVoid, serializeVoid } from './voids.ts'

/** `/payments` and its operations. */

const params = z.object({
  payment_id: z.string().meta({ description: 'Payment, capture or transaction id, or alt_key.' }),
})

const take = {
  method: 'post',
  path: '/payments',
  tag: 'payments',
  summary: 'Create a payment',
  description:
    'Charges a payment method, authorizes an amount (action AUTH), or schedules the payment ' +
    'with due or recurring. A declined payment is a payment too: it is returned with 200 and ' +
    'the status DECLINE.',
  body: takeBody,
  responses: {
    200: paymentResponse,
    400: nestedError,
    401: flatError,
    500: nestedError,
    ...idempotencyErrors,
  },
} as const satisfies Route

const capture = {
  method: 'post',
  path: '/payments/:payment_id/capture',
  tag: 'payments',
  summary: 'Capture an authorization',
  description:
    'Captures all or part of the open amount of an authorization; all of it without a ' +
    'body. An alt_key selects the newest authorization with that key that has an open ' +
    'amount.',
  params,
  body: captureBody,
  bodyOptional: true,
  responses: { 200: z.strictObject({ capture: payment }), ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const refund = {
  method: 'post',
  path: '/payments/:payment_id/refund',
  tag: 'payments',
  summary: 'Refund a payment',
  description:
    'Refunds all or part of the refundable amount of a payment or capture, or records an ' +
    'offline refund. Without a body the whole refundable amount is refunded. An ' +
    'authorization cannot be refunded; void it instead.',
  params,
  body: refundBody,
  bodyOptional: true,
  responses: { 200: refundResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const release = {
  method: 'post',
  path: '/payments/:payment_id/void',
  tag: 'payments',
  summary: 'Void an authorization',
  description: 'Releases the open amount of an authorization. Captured amounts are not affected.',
  params,
  body: voidBody,
  bodyOptional: true,
  responses: { 200: voidResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const check = {
  method: 'post',
  path: '/payments/:payment_id/check',
  tag: 'payments',
  summary: 'Check a payment',
  description:
    'Asks the processor now about the payment and its refunds and voids whose outcome is open, which ' +
    'the server does from time to time anyway, and returns the payment. Without an answer the status ' +
    'stays as it is. Makes no payment.',
  params,
  body: checkBody,
  bodyOptional: true,
  responses: { 200: paymentResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

export function paymentRoutes(router: Router, deps: Deps): void {
  router.on(take, async (c, { body }) => {
    const instance = c.get('instance')
    return operate(c, {
      act: (caller) => createPayment(deps, instance, body.payment, caller),
      show: async ({ id }) => ({ payment: await getPayment(deps.db, instance.id, id, deps.now()) }),
    })
  })

  router.on(capture, async (c, { params: { payment_id: idOrKey }, body }) => {
    const instance = c.get('instance')
    return operate(c, {
      act: (caller) => capturePayment(deps, instance, idOrKey, body?.capture ?? {}, caller),
      show: async ({ id }) => ({ capture: await getPayment(deps.db, instance.id, id, deps.now()) }),
    })
  })

  router.on(refund, async (c, { params: { payment_id: idOrKey }, body }) => {
    const instance = c.get('instance')
    return operate(c, {
      act: (caller) =>
        refundPayment(deps, instance, idOrKey, body?.refund ?? {}, {
          ...caller,
          requireAllowed(amount, currency) {
            requireWithinSupportMax(c.get('role'), instance, amount, currency)
            if (needsStepUp(instance, amount, currency)) requireStepUp(c, deps.realNow())
          },
        }),
      show: async ({ id }) => ({
        refund: serializeRefund(await getRefund(deps.db, instance.id, id)),
      }),
    })
  })

  router.on(release, async (c, { params: { payment_id: idOrKey } }) => {
    const instance = c.get('instance')
    return operate(c, {
      act: async (caller) => {
        const found = await lookupAuthorization(deps.db, instance.id, idOrKey, deps.now())
        return voidAuthorization(deps, await syncPayment(deps, found), caller)
      },
      show: async ({ id }) => ({ void: serializeVoid(await getVoid(deps.db, instance.id, id)) }),
    })
  })

  router.on(check, async (c, { params: { payment_id: idOrKey } }) => {
    const instance = c.get('instance')
    const found = await lookupPayment(deps.db, instance.id, idOrKey)
    return idempotentRepeatable(deps, c, async () => {
      await checkPayment(deps, found)
      return { payment: await getPayment(deps.db, instance.id, found.id, deps.now()) }
    })
  })

  collectionRoutes(router, deps, {
    name: ['payment', 'payments'],
    schema: payment,
    params,
    description: {
      list: 'Lists the payments and authorizations that match the criteria, newest first by default.',
      get:
        'Returns the payment, authorization or capture with this id. A transaction id returns its ' +
        'payment. An alt_key, which is not case-sensitive, returns the newest record with that key.',
    },
    filters: PAYMENT_FILTERS,
    sum: { amount: 'payments.amount', currency: 'payments.currency' },
    list: (turn, instanceId, list) => listPayments(turn, instanceId, ['PAYMENT', 'AUTH'], list),
    get: async (instanceId, idOrKey) => {
      const { id } = await lookupPayment(deps.db, instanceId, idOrKey)
      return getPayment(deps.db, instanceId, id, deps.now())
    },
    serialize: (rows, { now }) => serializePayments(deps.db, rows, now),
  })

  /** Runs an idempotent operation and returns the current record. */
  async function operate<Row extends { id: string; status: string }>(
    c: AppContext,
    operation: {
      act: (caller: Caller) => Promise<Row>
      show: (row: { id: string }) => Promise<object>
    },
  ): Promise<Response> {
    const by = await callerActorSession(deps, c)
    return idempotentOperation(deps, c, {
      act: async (reserveKey: ReserveKey) => {
        const row = await operation.act({ by, reserveKey })
        return { body: await operation.show(row), isFinal: row.status !== 'UNRESOLVED' }
      },
      reread: (id) => operation.show({ id }),
      callMs: callDurationMaxMs(deps),
    })
  }
}
