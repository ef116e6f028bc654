import type { Kysely } from 'kysely'
import type { FollowUpOperation, TakeOperation } from '../port.ts'
import { complaintAboutMoney, complaintAboutTake, hashOf } from './content.ts'
import { advanceDisputes, listDisputes, nextDisputeChange } from './disputes.ts'
import { claimMoney } from './ledger.ts'
import { advance, dateTime, findOperation, insertOperation, type Terms } from './operations.ts'
import {
  type Choice,
  courseOf,
  declined,
  type Scenario,
  type Step,
  stepAfterChoice,
  stepAfterWaiting,
} from './scenarios.ts'
import type { MethodType, OperationRow, SandboxTables, TokenRow } from './tables.ts'
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
  /** One whose bigint columns are read as numbers, as those of SQLite are. */
  db: Kysely<SandboxTables>
  /** Public address of the server, under which the gateway answers at `/sandbox`. */
  baseUrl: string
  /** Called by name at points where a crash test wants to interrupt. */
  failpoint?: (name: 'sandbox-charged') => void
}

/** What the gateway says about an operation, or why it refused to look at it at all. */
export type GatewayReply =
  | { operation: OperationRow; method: TokenRow | undefined }
  | { refused: string }

/** The gateway went silent: whoever asked cannot know what happened. */
export class NoAnswer extends Error {
  constructor() {
    super('The sandbox gave no answer')
    this.name = 'NoAnswer'
  }
}

export type Gateway = ReturnType<typeof createGateway>

/**
 * The gateway behind the sandbox processor: tokens, operations and their money (contract section
 * 19). Every change is one short transaction that is committed before anything is answered.
 */
export function createGateway(settings: SandboxSettings) {
  const { db, now, newToken, failpoint } = settings

  async function reply(operation: OperationRow): Promise<GatewayReply> {
    const method = operation.token === null ? undefined : await findToken(db, operation.token)
    return { operation, method }
  }

  /** Lets a crash test in between the money and the answer. */
  function committed(row: OperationRow): void {
    const charged = row.kind === 'PAY' || row.kind === 'CAPTURE'
    if (charged && row.state === 'APPROVED') failpoint?.('sandbox-charged')
  }

  /** Moves `row` by `step` in a transaction of its own; answers what it has become, by whomever. */
  async function decide(row: OperationRow, step: Step) {
    const moved = await db.transaction().execute((trx) => advance(trx, row, step, settings))
    if (moved !== undefined) {
      committed(moved)
      return moved
    }
    return (await findOperation(db, 'operation', row.operation)) ?? row
  }

  /** Nothing runs in the background: what has become due by the clock settles when it is asked for. */
  async function settled(row: OperationRow): Promise<OperationRow> {
    const due = row.settles_at !== null && row.settles_at <= dateTime(now())
    return row.state === 'PENDING' && due
      ? decide(row, stepAfterWaiting(row.kind, row.scenario))
      : row
  }

  /** The answer to a key that was here before. */
  async function repeated(key: string, content: string): Promise<GatewayReply> {
    const row = await findOperation(db, 'operation', key)
    if (row === undefined) throw new Error(`The operation ${key} is not in the ledger`)
    if (row.kind !== 'CANCEL' && row.content_hash !== content) {
      return { refused: 'This operation key was used before for something else.' }
    }
    return reply(await settled(row))
  }

  function firstStepOf(method: TokenRow | undefined, order: TakeOperation): Step | 'LOST' {
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
    const step = courseOf('PAY', method?.scenario ?? 'BANK_PAGE').first
    if (step !== 'LOST' && step.state === 'ACTION' && !isWebAddress(order.return_url)) {
      return declined('AUTHENTICATION_FAILED', NEEDS_THE_PAYER)
    }
    return step
  }

  /** Takes (PAY) or sets aside (AUTHORISE) money. Throws NoAnswer where the scenario says so. */
  async function take(kind: 'PAY' | 'AUTHORISE', order: TakeOperation): Promise<GatewayReply> {
    const refused = complaintAboutTake(order)
    if (refused !== undefined) return { refused }
    const { operation, merchant, amount, currency, method, return_url } = order
    const content_hash = hashOf(kind, order)
    const row = await db.transaction().execute(async (trx) => {
      const started = await insertOperation(
        trx,
        {
          operation,
          kind,
          merchant,
          state: 'STARTED',
          content_hash,
          reference: newToken(kind === 'PAY' ? 'spay' : 'sauth'),
          amount,
          currency,
          method_type: method.type as MethodType,
          store: order.store ? 1 : 0,
          return_url,
        },
        settings,
      )
      if (started === undefined) return undefined
      const token = await useToken(trx, operation, method)
      const step = firstStepOf(token, order)
      // Thrown in here it takes the row back too: this request never arrived.
      if (step === 'LOST') throw new NoAnswer()
      const scenario: Scenario | null =
        token?.scenario ?? (method.type === 'BANK_TRANSFER' ? 'BANK_PAGE' : null)
      return advance(trx, started, step, settings, { token: token?.token ?? null, scenario })
    })
    if (row === undefined) return repeated(operation, content_hash)
    return replyOnce(row)
  }

  /** The answer to a new operation, which the scenario may lose. Asked again, the gateway tells. */
  async function replyOnce(row: OperationRow): Promise<GatewayReply> {
    committed(row)
    const { isSilent } = courseOf(row.kind, row.scenario)
    if (isSilent && row.state === 'APPROVED') throw new NoAnswer()
    return reply(row)
  }

  /**
   * Captures, refunds or voids, within what `order.reference` has left; declines beyond it. Throws
   * NoAnswer where the scenario of the method that paid says so.
   */
  async function follow(
    kind: 'CAPTURE' | 'REFUND' | 'VOID',
    order: FollowUpOperation,
  ): Promise<GatewayReply> {
    const refused = complaintAboutMoney(order)
    if (refused !== undefined) return { refused }
    const { operation, amount, currency } = order
    const content_hash = hashOf(kind, order)
    const followed = await findOperation(db, 'reference', order.reference)
    if (followed !== undefined) await settled(followed)
    if (kind === 'REFUND') await advanceDisputes(db, { charge: order.reference }, now())
    const scenario = followed?.scenario ?? null
    const { first } = courseOf(kind, scenario)
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
      // Thrown in here it takes the row back too: this request never arrived.
      if (first === 'LOST') throw new NoAnswer()
      if (first.state === 'DECLINED') return advance(trx, started, first, settings)
      const claimed = await claimMoney(trx, started, dateTime(now()))
      const step = claimed ? first : declined('DECLINED', SHORT[kind])
      return advance(trx, started, step, settings)
    })
    return row === undefined ? repeated(operation, content_hash) : replyOnce(row)
  }

  return {
    /** Where the payer confirms an operation in the state ACTION. */
    challengeUrl: (challenge: string) => `${settings.baseUrl}/sandbox/challenges/${challenge}`,

    now,
    take,
    follow,

    /** The operation with this key in its present state, or undefined. */
    async query(key: string): Promise<GatewayReply | undefined> {
      const row = await findOperation(db, 'operation', key)
      return row && reply(await settled(row))
    },

    /** Ends what is not final; leaves a tombstone for a key that has not arrived yet. */
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
      // A payer may move it on between reading and cancelling, but only once or twice.
      while (row !== undefined && (row.state === 'ACTION' || row.state === 'PENDING')) {
        row = await settled(row)
        if (row.state !== 'ACTION' && row.state !== 'PENDING') break
        row = await decide(row, { state: 'DECLINED', code: 'CANCELLED', message: CANCELLED })
      }
      if (row === undefined) throw new Error(`The operation ${key} is not in the ledger`)
      return reply(row)
    },

    /** The disputes of a merchant that changed at `since` or later, and when the next change comes. */
    async disputes(merchant: string, since: string | null) {
      await advanceDisputes(db, { merchant }, now())
      return {
        disputes: await listDisputes(db, merchant, since),
        next_change: await nextDisputeChange(db, merchant),
      }
    },

    /** Keeps a checked card or account for one payment, and answers its token. */
    async createToken(request: TokenRequest): Promise<string> {
      const token = newToken('tok')
      await db.transaction().execute(async (trx) => {
        const salt = await readSalt(trx)
        await insertToken(trx, tokenRow(request, { token, salt, created: dateTime(now()) }))
      })
      return token
    },

    /** Forgets tokens that nothing was paid with for an hour. */
    pruneTokens: () => deleteUnusedTokens(db, dateTime(now() - UNUSED_TOKEN_MS)),

    /** The operation that waits behind a bank page, or undefined. */
    findChallenge: (challenge: string) => findOperation(db, 'challenge', challenge),

    /** Records the payer's choice; the first one stands. Answers where the payer goes on. */
    async choose(challenge: string, choice: Choice): Promise<string | undefined> {
      const row = await findOperation(db, 'challenge', challenge)
      if (row === undefined || row.return_url === null) return undefined
      if (row.state === 'ACTION') await decide(row, stepAfterChoice(row.scenario, choice))
      return row.return_url
    },
  }
}

/** As long as a payer may think about a form that is filled in. */
const UNUSED_TOKEN_MS = 60 * 60 * 1000

const NEEDS_THE_PAYER = 'The bank wants the payer to confirm, and the payer is not there.'

const CANCELLED = 'The operation was cancelled before it was final.'

const SHORT = {
  CAPTURE: 'The authorisation does not exist, has run out, or cannot be captured by this amount.',
  REFUND: 'The payment does not exist, or this amount of it cannot be refunded or is disputed.',
  VOID: 'The authorisation does not exist, or this amount of it cannot be released.',
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
