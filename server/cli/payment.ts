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

unresolved lists the operations whose outcome is not known, oldest first.

settle writes down what the processor's own books say about one of them, for when asking it by
machine has been in vain for days. Look there first: search for the attempt's id, which is the key
that the processor was called with. REFERENCE is the processor's own id of the operation. Nothing is
asked and no money is moved; what is written is final, and sends the events of any other outcome.
An authorization that was approved so has no end that is known here.`

const OPTIONS = {
  attempt: { type: 'string' },
  approved: { type: 'string' },
  declined: { type: 'boolean' },
} as const

const ACTIONS = { unresolved: 0, settle: 0 } as const

const read = (args: string[]) => readUsage(args, { help: HELP, actions: ACTIONS, options: OPTIONS })

type Values = NonNullable<ReturnType<typeof read>>['values']

/** `checkstand payment …`: records outcomes that only people can find out. */
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
  const answer = answerOf(values)
  const config = readConfig()
  assertDatabase(config.databaseUrl)
  // Its own output is for whoever reads the answer.
  const log = createLog(config.logLevel, process.stderr)
  const checkstand = await createCheckstand({ config, log })
  try {
    const { deps } = checkstand
    const { db, now } = deps
    const attempt = await findAttempt(db, id)
    if (!attempt)
      throw new Error(
        `There is no attempt ${id}; \`npx checkstand payment unresolved\` lists those that are open`,
      )
    const open = await listUnresolved(db, abandonedBefore({ config }, now()))
    if (!open.some((each) => each.id === id)) throw new Error(`${id} is not unresolved`)
    await withClockOf(await findClock(db, id), async () => {
      const settled = await settleAttempt(deps, id, answer)
      if (settled) await voidRemainder(deps, settled.attempt)
    })
    // A processor that answers in the same moment is right, and what was said here is not.
    const transaction = await findTransaction(db, attempt.instance_id, attempt.transaction_id)
    const wanted = answer.status === 'APPROVED' ? 'SUCCESS' : 'DECLINE'
    if (transaction?.status !== wanted) {
      throw new Error(`${id} was settled by its processor meanwhile: ${transaction?.status}`)
    }
    return { settled: id }
  } finally {
    await checkstand.close()
  }
}

function answerOf({ approved, declined }: Values): ProcessorResponse {
  if ((approved === undefined) === (declined === undefined)) {
    throw new UsageError('Give either --approved with the processor’s reference, or --declined')
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
