import type { MethodDetails, Processor, ProcessorResponse, QueryResponse } from '../port.ts'
import { createGateway, type Gateway, type GatewayReply, type SandboxSettings } from './gateway.ts'
import { unsupportedBy } from './scenarios.ts'
import { toReversal } from './disputes.ts'
import type { OperationRow, MethodToken } from './tables.ts'

export { sandboxRoutes } from './routes.ts'
export type { Gateway, SandboxSettings } from './gateway.ts'
export { tokenRequestBody } from './token-request.ts'
export type { SandboxTables } from './tables.ts'

export interface Sandbox extends Processor {
  readonly gateway: Gateway
}

/**
 * The built-in processor for tests and demonstrations. Its gateway has its own tables and loses
 * responses on purpose: after a call that throws the outcome is unknown.
 */
export function createSandbox(settings: SandboxSettings): Sandbox {
  const gateway = createGateway(settings)
  const respond = async (reply: Promise<GatewayReply>) => toResponse(await reply, gateway)
  return {
    id: 'sandbox',
    name: 'sandbox',
    test: true,
    gateway,
    capabilities: {
      currencies: 'ANY',
      methods: [
        {
          type: 'CARD',
          storable: true,
          setup: true,
          token_first: false,
          async: false,
          redirect: false,
          framed: true,
          ...OWN_FIELDS,
        },
        {
          type: 'DIRECT_DEBIT',
          storable: true,
          setup: true,
          token_first: true,
          async: true,
          redirect: false,
          ...OWN_FIELDS,
        },
        {
          type: 'BANK_TRANSFER',
          storable: false,
          token_first: false,
          async: true,
          redirect: true,
          ...OWN_FIELDS,
          fields: 'NONE',
        },
      ],
      refund: true,
      partial_refund: true,
      multiple_refunds: true,
      partial_capture: true,
      multiple_captures: true,
      void: true,
      three_ds: true,
      query: true,
    },
    pay: (order) => respond(gateway.take('PAY', order)),
    setup: (order) => respond(gateway.take('SETUP', order)),
    authorize: (order) => respond(gateway.take('AUTHORISE', order)),
    capture: (order) => respond(gateway.follow('CAPTURE', order)),
    refund: (order) => respond(gateway.follow('REFUND', order)),
    void: (order) => respond(gateway.follow('VOID', order)),
    cancel: (key) => respond(gateway.cancel(key)),
    countryOf: (token) => gateway.countryOf(token),
    async changes({ merchant, since }) {
      const { disputes, next_change } = await gateway.disputes(merchant, since)
      return {
        reversals: disputes.map(toReversal),
        check_after_ms: REVERSALS_INTERVAL_MS,
        next_change,
      }
    },
    async query(key): Promise<QueryResponse> {
      const reply = await gateway.query(key)
      return reply === undefined ? { status: 'NOT_FOUND' } : toResponse(reply, gateway)
    },
  }
}

const OWN_FIELDS = {
  authorize: true,
  merchant_initiated: true,
  fields: 'OWN',
  csc: 'RAW',
  needs: [],
  cancel: 'ALWAYS',
} as const

/** A dispute is scheduled at least a day before it opens, so hourly reads miss none. */
const REVERSALS_INTERVAL_MS = 60 * 60 * 1000

function toResponse(reply: GatewayReply, gateway: Gateway): ProcessorResponse {
  if ('refused' in reply) return { status: 'ERROR', message: reply.refused }
  const { operation, method: token } = reply
  const method = methodDetails(operation, token)
  const details = method && { method }
  const three_ds = operation.three_ds ?? (token?.type === 'CARD' ? 'NONE' : undefined)
  const reference = operation.reference ?? ''
  const isTaken = operation.kind === 'PAY' || operation.kind === 'AUTHORISE'
  const unsupported = isTaken ? unsupportedBy(operation.scenario) : []
  switch (operation.state) {
    case 'APPROVED':
      return {
        status: 'APPROVED',
        reference,
        ...details,
        ...(three_ds && { three_ds }),
        ...(operation.stored_token !== null &&
          token && {
            stored: { token: operation.stored_token, fingerprint: token.fingerprint },
          }),
        ...(operation.authorised_until !== null && {
          authorised_until: operation.authorised_until,
        }),
        ...(unsupported.length > 0 && { unsupported }),
      }
    case 'DECLINED':
      return {
        status: 'DECLINED',
        reference: operation.reference,
        code: operation.code ?? 'DECLINED',
        message: operation.message ?? '',
        ...details,
        ...(three_ds && { three_ds }),
      }
    case 'PENDING': {
      const wait = Date.parse(operation.settles_at ?? '') - gateway.now()
      return {
        status: 'PENDING',
        reference,
        ...details,
        check_after_ms: Math.max(0, wait),
        ...(operation.message !== null && { message: operation.message }),
      }
    }
    case 'ACTION':
      return {
        status: 'ACTION',
        reference,
        url: gateway.challengeUrl(operation.challenge ?? ''),
        ...details,
      }
    case 'STARTED':
      throw new Error(`The operation ${operation.operation} was left undecided`)
  }
}

function methodDetails(
  operation: OperationRow,
  token: MethodToken | undefined,
): MethodDetails | undefined {
  if (operation.method_type === null) return undefined
  return {
    type: operation.method_type,
    brand: token?.brand ?? null,
    last4: token?.last4 ?? null,
    exp_month: token?.exp_month ?? null,
    exp_year: token?.exp_year ?? null,
    funding: token?.type === 'CARD' ? 'credit' : null,
    country: token?.country ?? null,
  }
}
