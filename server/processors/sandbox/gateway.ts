import type { Kysely } from 'kysely'
import { formatInstant } from '../../../shared/rules/time.ts'
import type { FollowUpOperation, PaymentOperation, SetupOperation } from '../port.ts'
import { amountError, paymentRequestError, hashContent, setupRequestError } from './content.ts'
import { advanceDisputes, listDisputes, nextDisputeChange } from './disputes.ts'
import { reserveMoney } from './ledger.ts'
import { advance, findOperation, insertOperation, type Terms } from './operations.ts'
import {
  type Choice,
  operationSteps,
  declined,
  type Scenario,
  type Step,
  stepAfterChoice,
  stepAfterWaiting,
} from './scenarios.ts'
import type { MethodType, OperationRow, SandboxTables, MethodToken } from './tables.ts'
import { hasExpired, type TokenRequest } from './token-request.ts'
import {
  deleteUnusedTokens,
  findToken,
  insertToken,
  readSalt,
  tokenRow,
  useToken,
} from './tokens.ts'

export interface SandboxSettings extends Terms {
  /** Must read bigint columns as numbers. */
  db: Kysely<SandboxTables>
  /** Public URL of the server, which serves the gateway at `/sandbox`. */
  baseUrl: string
  /** Crash tests end the process here. */
  failpoint?: (name: 'sandbox-charged') => void
}

/** The gateway's state of an operation, or why it refused the request. */
export type GatewayReply =
  | { operation: OperationRow; method: MethodToken | undefined }
  | { refused: string }

type Order =
  | [kind: 'PAY' | 'AUTHORISE', order: PaymentOperation]
  | [kind: 'SETUP', order: SetupOperation]
type OrderKind = Order[0]

const REFERENCES = { PAY: 'spay', AUTHORISE: 'sauth', SETUP: 'sset' } as const

/** Simulates a lost response: the caller cannot know the outcome. */
export class NoResponse extends Error {
  constructor() {
    super('The sandbox gave no response')
    this.name = 'NoResponse'
  }
}

export type Gateway = ReturnType<typeof createGateway>

/**
 * The gateway behind the sandbox processor: tokens, operations and their money. Every change is one
 * short transaction that is committed before the gateway responds.
 */
export function createGateway(settings: SandboxSettings) {
  const { db, now, newToken, failpoint } = settings

  async function reply(operation: OperationRow): Promise<GatewayReply> {
    const method = operation.token === null ? undefined : await findToken(db, operation.token)
    return { operation, method }
  }

  /** A failpoint between the money and the response. */
  function passFailpoint(row: OperationRow): void {
    const charged = row.kind === 'PAY' || row.kind === 'CAPTURE'
    if (charged && row.state === 'APPROVED') failpoint?.('sandbox-charged')
  }

  /** Applies `step` in its own transaction. Returns the row as it is then, also after a concurrent step. */
  async function applyStep(row: OperationRow, step: Step) {
    const moved = await db.transaction().execute((trx) => advance(trx, row, step, settings))
    if (moved !== undefined) {
      passFailpoint(moved)
      return moved
    }
    return (await findOperation(db, 'operation', row.operation)) ?? row
  }

  /** Settles a due operation when it is read, because the gateway has no background job. */
  async function settleIfDue(row: OperationRow): Promise<OperationRow> {
    const due = row.settles_at !== null && row.settles_at <= formatInstant(now())
    return row.state === 'PENDING' && due
      ? applyStep(row, stepAfterWaiting(row.kind, row.scenario))
      : row
  }

  async function replyToRepeat(key: string, content: string): Promise<GatewayReply> {
    const row = await findOperation(db, 'operation', key)
    if (row === undefined) throw new Error(`The operation ${key} is not in the ledger`)
    if (row.kind !== 'CANCEL' && row.content_hash !== content) {
      return { refused: 'This operation key was used before for something else.' }
    }
    return reply(await settleIfDue(row))
  }

  function firstStep(
    kind: OrderKind,
    method: MethodToken | undefined,
    order: PaymentOperation | SetupOperation,
  ): Step | 'LOST' {
    if (order.method.type !== 'BANK_TRANSFER') {
      if (method === undefined) {
        return declined('INVALID_METHOD', 'The token is unknown or has been used.')
      }
      const { exp_month, exp_year } = method
      if (exp_month !== null && exp_year !== null && hasExpired({ exp_month, exp_year }, now())) {
        return declined('EXPIRED_CARD', 'The card has expired.')
      }
      const csc = order.method.kind === 'STORED' ? order.method.csc : undefined
      if (csc !== undefined && !/^[0-9]{3,4}$/.test(csc)) {
        return declined('WRONG_SECURITY_CODE', 'The security code is wrong.')
      }
    }
    const step = operationSteps(kind, method?.scenario ?? 'BANK_PAGE').first
    if (step !== 'LOST' && step.state === 'ACTION' && !isWebAddress(order.return_url)) {
      return declined('AUTHENTICATION_FAILED', NEEDS_THE_PAYER)
    }
    return step
  }

  /** Throws NoResponse where the scenario loses the request or the response. */
  async function take(...[kind, order]: Order): Promise<GatewayReply> {
    const isSetup = kind === 'SETUP'
    const refused = isSetup ? setupRequestError(order) : paymentRequestError(order)
    if (refused !== undefined) return { refused }
    const { operation, merchant, method, return_url } = order
    const content_hash = hashContent(kind, order)
    const row = await db.transaction().execute(async (trx) => {
      const started = await insertOperation(
        trx,
        {
          operation,
          kind,
          merchant,
          state: 'STARTED',
          content_hash,
          reference: newToken(REFERENCES[kind]),
          ...(!isSetup && {
            amount: order.amount,
            currency: order.currency,
            statement_descriptor: order.statement_descriptor,
          }),
          method_type: method.type as MethodType,
          store: isSetup || order.store ? 1 : 0,
          return_url,
        },
        settings,
      )
      if (started === undefined) return undefined
      const token = await useToken(trx, operation, method)
      const step = firstStep(kind, token, order)
      // Rolls back the row as well: this request never arrived.
      if (step === 'LOST') throw new NoResponse()
      const scenario: Scenario | null =
        token?.scenario ?? (method.type === 'BANK_TRANSFER' ? 'BANK_PAGE' : null)
      return advance(trx, started, step, settings, { token: token?.token ?? null, scenario })
    })
    if (row === undefined) return replyToRepeat(operation, content_hash)
    return replyOnce(row)
  }

  /** The scenario may lose this response; a query returns it. */
  async function replyOnce(row: OperationRow): Promise<GatewayReply> {
    passFailpoint(row)
    const { isSilent } = operationSteps(row.kind, row.scenario)
    if (isSilent && row.state === 'APPROVED') throw new NoResponse()
    return reply(row)
  }

  /**
   * Declines more than the operation `order.reference` has left. Throws NoResponse where the scenario of
   * its method loses the request or the response.
   */
  async function follow(
    kind: 'CAPTURE' | 'REFUND' | 'VOID',
    order: FollowUpOperation,
  ): Promise<GatewayReply> {
    const refused = amountError(order)
    if (refused !== undefined) return { refused }
    const { operation, amount, currency } = order
    const content_hash = hashContent(kind, order)
    const followed = await findOperation(db, 'reference', order.reference)
    if (followed !== undefined) await settleIfDue(followed)
    if (kind === 'REFUND') await advanceDisputes(db, { charge: order.reference }, now())
    const scenario = followed?.scenario ?? null
    const { first } = operationSteps(kind, scenario)
    const row = await db.transaction().execute(async (trx) => {
      const started = await insertOperation(
        trx,
        {
          operation,
          kind,
          merchant: followed?.merchant ?? null,
          state: 'STARTED',
          content_hash,
          reference: newToken(`s${kind.toLowerCase()}`),
          follows: order.reference,
          amount,
          currency,
          scenario,
        },
        settings,
      )
      if (started === undefined) return undefined
      // Rolls back the row as well: this request never arrived.
      if (first === 'LOST') throw new NoResponse()
      if (first.state === 'DECLINED') return advance(trx, started, first, settings)
      const reserved = await reserveMoney(trx, started, formatInstant(now()))
      const step = reserved ? first : declined('DECLINED', DECLINE_MESSAGES[kind])
      return advance(trx, started, step, settings)
    })
    return row === undefined ? replyToRepeat(operation, content_hash) : replyOnce(row)
  }

  return {
    /** The page where the payer confirms an operation in the state ACTION. */
    challengeUrl: (challenge: string) => `${settings.baseUrl}/sandbox/challenges/${challenge}`,

    now,
    take,
    follow,

    async query(key: string): Promise<GatewayReply | undefined> {
      const row = await findOperation(db, 'operation', key)
      return row && reply(await settleIfDue(row))
    },

    /** Declines an operation without a final state, or stores a tombstone for a key that is not known. */
    async cancel(key: string): Promise<GatewayReply> {
      const tombstone = await db.transaction().execute((trx) =>
        insertOperation(
          trx,
          {
            operation: key,
            kind: 'CANCEL',
            state: 'DECLINED',
            code: 'CANCELLED',
            message: CANCELLED,
          },
          settings,
        ),
      )
      if (tombstone !== undefined) return reply(tombstone)
      let row = await findOperation(db, 'operation', key)
      // The payer may change the state in between, but only once or twice.
      while (row !== undefined && (row.state === 'ACTION' || row.state === 'PENDING')) {
        row = await settleIfDue(row)
        if (row.state !== 'ACTION' && row.state !== 'PENDING') break
        row = await applyStep(row, { state: 'DECLINED', code: 'CANCELLED', message: CANCELLED })
      }
      if (row === undefined) throw new Error(`The operation ${key} is not in the ledger`)
      return reply(row)
    },

    async disputes(merchant: string, since: string | null) {
      await advanceDisputes(db, { merchant }, now())
      return {
        disputes: await listDisputes(db, merchant, since),
        next_change: await nextDisputeChange(db, merchant),
      }
    },

    /** Returns a token for one payment. */
    async createToken(request: TokenRequest): Promise<string> {
      const token = newToken('tok')
      await db.transaction().execute(async (trx) => {
        const salt = await readSalt(trx)
        await insertToken(trx, tokenRow(request, { token, salt, created: formatInstant(now()) }))
      })
      return token
    },

    /** Returns where the method of a token was issued, ISO 3166-1; null if that is not known. */
    async countryOf(token: string): Promise<string | null> {
      return (await findToken(db, token))?.country ?? null
    },

    pruneTokens: () => deleteUnusedTokens(db, formatInstant(now() - UNUSED_TOKEN_MS)),

    findChallenge: (challenge: string) => findOperation(db, 'challenge', challenge),

    /** Records the payer's first choice. Returns the URL where the payer continues. */
    async choose(challenge: string, choice: Choice): Promise<string | undefined> {
      const row = await findOperation(db, 'challenge', challenge)
      if (row === undefined || row.return_url === null) return undefined
      if (row.state === 'ACTION')
        await applyStep(row, stepAfterChoice(row.kind, row.scenario, choice))
      return row.return_url
    },
  }
}

/** How long a payer may wait before submitting the form. */
const UNUSED_TOKEN_MS = 60 * 60 * 1000

const NEEDS_THE_PAYER = 'The bank requires the payer to confirm, and the payer is not present.'

const CANCELLED = 'The operation was cancelled before it was final.'

const DECLINE_MESSAGES = {
  CAPTURE: 'The authorization does not exist, has expired, or cannot be captured by this amount.',
  REFUND: 'The payment does not exist, or this amount of it cannot be refunded or is disputed.',
  VOID: 'The authorization does not exist, or this amount of it cannot be released.',
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
