import { setTimeout } from 'node:timers/promises'
import { type KyselyPlugin, type RootOperationNode, SelectQueryNode, type UnknownRow } from 'kysely'
import type { Db } from '../../server/db/tables.ts'
import type { Deps } from '../../server/deps.ts'
import type {
  FollowUpOperation,
  Processor,
  PaymentOperation,
} from '../../server/processors/port.ts'
import { inserts, isUpdate, onlyById, sets, valueOf, without, withValues } from './statements.ts'
import { writeLater } from './write-later.ts'

/**
 * Mistakes that payment servers make, planted into a running one from outside. A harness that does not
 * find them would not find one of ours either. Each names the invariant that breaks.
 */
export const BUGS = {
  /** The attempt's row is written when the processor has answered. */
  'attempt-after-call': 'I6',
  /** A call without an answer is sent again under another key of the processor. */
  'new-key-per-try': 'I6',
  /** Whether a code was used is looked up, and then it is used up whatever became of it since. */
  'code-twice': 'I15',
  /** What is open of an authorisation is looked up, and then taken whatever became of it since. */
  'capture-check-then-act': 'I3',
  /** Whether a deep link has a use left is looked up, and then one is taken whatever became of it since. */
  'use-check-then-act': 'I24',
  /** A mail is recorded as sent before it is given to the mail server. */
  'mail-sent-before': 'I25',
  // What these are about is not written with the rest of its transaction, but a moment later.
  'charge-later': 'I17',
  'counts-later': 'I22',
  'receipt-later': 'I23',
  'use-later': 'I24',
  'contract-later': 'I26',
  'default-later': 'I27',
  'filing-later': 'I28',
} as const

export type Bug = keyof typeof BUGS

/** How old a look may be on which a planted mistake acts, in milliseconds. */
const STALE_MS = 150

/** How late a planted mistake writes what belongs before a call, so that a kill finds it unwritten. */
const LATE_MS = 250

/** Changes how a server works from here on. */
export function plantBug(bug: Bug, deps: Deps): void {
  const processors = deps.processors.builtIn
  const real = processors.get('sandbox') as Processor
  switch (bug) {
    case 'attempt-after-call':
      processors.set('sandbox', rewritten(real, afterCall(deps.db)))
      break
    case 'new-key-per-try':
      processors.set('sandbox', rewritten(real, underNewKey))
      break
    case 'code-twice':
      deps.db = deps.db.withPlugin(blindCodeUse())
      break
    case 'capture-check-then-act':
      deps.db = deps.db.withPlugin(staleCaptures())
      break
    case 'use-check-then-act':
      deps.db = deps.db.withPlugin(rewriting((node) => withoutTests(node, 'reserved_uses')))
      break
    case 'mail-sent-before':
      deps.db = deps.db.withPlugin(rewriting(sentWhenLeased))
      break
    case 'charge-later':
      deps.db = writeLater(deps.db, (node) => sets(node, 'charges', 'paid_amount'))
      break
    case 'counts-later':
      deps.db = writeLater(deps.db, (node) => inserts(node, 'checkout_count_changes'))
      break
    case 'filing-later':
      deps.db = writeLater(deps.db, (node) => inserts(node, 'insight_changes'))
      break
    case 'receipt-later':
      deps.db = writeLater(deps.db, (node) => inserts(node, 'mails'))
      break
    case 'use-later':
      deps.db = writeLater(deps.db, (node) => sets(node, 'deep_links', 'uses'))
      break
    case 'contract-later':
      deps.db = writeLater(deps.db, (node) => sets(node, 'contracts', 'started'))
      break
    case 'default-later':
      deps.db = writeLater(deps.db, (node) => sets(node, 'legal_entities', 'is_default', 1))
      break
  }
}

type Asked = PaymentOperation | FollowUpOperation
type Around = <A extends Asked, R>(call: (asked: A) => Promise<R>, asked: A) => Promise<R>

/** A processor all of whose calls that move money go through `around`. */
function rewritten(real: Processor, around: Around): Processor {
  return {
    ...real,
    pay: (asked) => around((order) => real.pay(order), asked),
    authorize: (asked) => around((order) => real.authorize(order), asked),
    capture: (asked) => around((order) => real.capture(order), asked),
    refund: (asked) => around((order) => real.refund(order), asked),
    void: (asked) => around((order) => real.void(order), asked),
  }
}

function afterCall(db: Db): Around {
  return async (call, asked) => {
    const id = asked.operation
    const attempt = await db
      .deleteFrom('attempts')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    try {
      return await call(asked)
    } finally {
      await setTimeout(LATE_MS)
      if (attempt) await db.insertInto('attempts').values(attempt).execute()
    }
  }
}

const underNewKey: Around = async (call, asked) => {
  try {
    return await call(asked)
  } catch {
    return call({ ...asked, operation: `${asked.operation}again` })
  }
}

/** Uses up a code without its condition, for as long as a look at it would still be fresh. */
function blindCodeUse(): KyselyPlugin {
  const firstSeen = new Map<unknown, number>()
  return {
    transformQuery({ node }) {
      if (!isUpdate(node, 'oauth_codes')) return node
      const code = valueOf(node, 'hash')
      const seen = firstSeen.get(code) ?? performance.now()
      firstSeen.set(code, seen)
      return performance.now() - seen < STALE_MS ? without(node, 'used') : node
    },
    transformResult: async ({ result }) => result,
  }
}

/** Reads authorisations as they were a moment ago, and writes them whatever they are now. */
function staleCaptures(): KyselyPlugin {
  const looks = new Map<unknown, { row: UnknownRow; at: number }>()
  const queries = new WeakMap<object, boolean>()
  return {
    transformQuery({ node, queryId }) {
      queries.set(queryId, SelectQueryNode.is(node))
      return isUpdate(node, 'payments') ? without(node, 'v') : node
    },
    async transformResult({ result, queryId }) {
      const [row] = result.rows
      const isLook = queries.get(queryId) && row?.['type'] === 'AUTH' && row['v'] !== undefined
      if (!isLook || row['status'] !== 'SUCCESS') return result
      const cached = looks.get(row['id'])
      if (cached && performance.now() - cached.at < STALE_MS) {
        return { ...result, rows: [cached.row, ...result.rows.slice(1)] }
      }
      looks.set(row['id'], { row, at: performance.now() })
      return result
    },
  }
}

/** Reserves a use without asking whether one is left. */
function withoutTests(node: RootOperationNode, column: string): RootOperationNode {
  return sets(node, 'deep_links', column) ? onlyById(node) : node
}

/** Records a mail as sent when it is leased, with nothing left to do. */
function sentWhenLeased(node: RootOperationNode): RootOperationNode {
  if (!sets(node, 'mails', 'leased_until') || sets(node, 'mails', 'attempts')) return node
  return withValues(node, { status: 'SENT', next_attempt: null })
}

function rewriting(rewrite: (node: RootOperationNode) => RootOperationNode): KyselyPlugin {
  return {
    transformQuery: ({ node }) => rewrite(node),
    transformResult: async ({ result }) => result,
  }
}
