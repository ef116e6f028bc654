import { withClockOf } from '../clock.ts'
import { readConfig } from '../config.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { abandonedBefore } from '../payments/call-processor.ts'
import { findAttempt, findClock } from '../payments/attempts.ts'
import { listUnresolved } from '../payments/reconcile-queue.ts'
import { settleAttempt } from '../payments/settle.ts'
import { findTransaction } from '../payments/store.ts'
import { voidRemainder } from '../payments/void-remainder.ts'
import type { ProcessorResponse } from '../processors/port.ts'
import { assertDatabase, withDatabase } from './database.ts'
import { print, printList } from './output.ts'
import { UsageError, readUsage, requireOption } from './usage.ts'

const HELP = `npx checkstand payment unresolved [--json]
npx checkstand payment settle --attempt AT_ID --approved REFERENCE [--json]
npx checkstand payment settle --attempt AT_ID --declined [--json]

unresolved lists the operations with an unknown outcome, oldest first.

settle records the outcome of an operation that the processor has not reported for days. First look
the operation up at the processor: its idempotency key is the attempt's id. REFERENCE is the
processor's id of the operation. The command calls no processor and moves no money. The outcome is
final and sends the usual events. An authorization approved this way has no known expiry.`

const OPTIONS = {
  attempt: { type: 'string' },
  approved: { type: 'string' },
  declined: { type: 'boolean' },
} as const

const ACTIONS = { unresolved: 0, settle: 0 } as const

const read = (args: string[]) => readUsage(args, { help: HELP, actions: ACTIONS, options: OPTIONS })

type Values = NonNullable<ReturnType<typeof read>>['values']

/** `checkstand payment …`. */
export async function paymentCommand(args: string[]): Promise<void> {
  const usage = read(args)
  if (!usage) return
  const { values, action, json } = usage
  if (action === 'unresolved') {
    const unresolved = await withDatabase(({ db, now }) =>
      listUnresolved(db, abandonedBefore({ config: readConfig() }, now())),
    )
    return printList('unresolved', unresolved, json)
  }
  print(await settle(values), json)
}

async function settle(values: Values): Promise<{ settled: string }> {
  const id = requireOption(values.attempt, 'attempt')
  const response = processorResponse(values)
  const config = readConfig()
  assertDatabase(config.databaseUrl)
  // Standard output is the command's result.
  const log = createLog(config.logLevel, process.stderr)
  const checkstand = await createCheckstand({ config, log })
  try {
    const { deps } = checkstand
    const { db, now } = deps
    const attempt = await findAttempt(db, id)
    if (!attempt)
      throw new Error(
        `Attempt ${id} not found; \`npx checkstand payment unresolved\` lists the open ones`,
      )
    const open = await listUnresolved(db, abandonedBefore({ config }, now()))
    if (!open.some((unresolved) => unresolved.id === id)) throw new Error(`${id} is not unresolved`)
    await withClockOf(await findClock(db, id), async () => {
      const settled = await settleAttempt(deps, id, response)
      if (settled) await voidRemainder(deps, settled.attempt)
    })
    // The processor may have reported another outcome in the meantime, which then stands.
    const transaction = await findTransaction(db, attempt.instance_id, attempt.transaction_id)
    const expected = response.status === 'APPROVED' ? 'SUCCESS' : 'DECLINE'
    if (transaction?.status !== expected) {
      throw new Error(`${id} was settled by its processor in the meantime: ${transaction?.status}`)
    }
    return { settled: id }
  } finally {
    await checkstand.close()
  }
}

function processorResponse({ approved, declined }: Values): ProcessorResponse {
  if ((approved === undefined) === (declined === undefined)) {
    throw new UsageError('Use either --approved with the processor’s reference, or --declined')
  }
  if (approved !== undefined) {
    return { status: 'APPROVED', reference: requireOption(approved, 'approved') }
  }
  return {
    status: 'DECLINED',
    reference: null,
    code: 'DECLINED',
    message: 'Not taken, by the processor’s own books',
  }
}
