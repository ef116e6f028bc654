import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Processor } from '../../server/processors/port.ts'
import type { Merchant, TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { cardToken } from '../payer-client.ts'
import { openPaymentsClient, type PaymentsClient } from '../payments-client.ts'
import { type Wrap, wrapOperations } from '../wrap-operations.ts'
import { guardTables } from './guards.ts'
import { openPayees } from './open-payees.ts'
import { type Card, type Fault, type Model, newModel } from './model.ts'

/** The real thing: the whole product with one merchant, whose network can be made to fail. */
export interface World {
  app: TestApp
  merchant: Merchant
  paymentsClient: PaymentsClient
  account: string
  /** The deep link that payers share, once one has asked for it. */
  deepLink?: Promise<{ id: string }>
  /** What happens to operations on their way to the processor, until it is said otherwise. */
  fault: Fault
  /** Voids are met by it where they are asked for; what a final capture leaves is let go in peace. */
  sparesVoids: boolean
  /** A token of the sandbox for such a card, good for one payment. */
  token: (card: Card) => Promise<string>
}

/** Of a card for which years may pass. */
export const FAR_EXPIRY = { exp_month: 12, exp_year: 2999 }

export const CARD_NUMBERS: Record<Card, string> = {
  approve: CARDS.approve,
  decline: CARDS.decline,
  taken: CARDS.noAnswerTaken,
  lost: CARDS.noAnswerNotTaken,
  succeeds: CARDS.pendingSuccess,
  fails: CARDS.pendingFailure,
  'refund succeeds': CARDS.refundPendingSuccess,
  'refund fails': CARDS.refundPendingFailure,
  'capture succeeds': CARDS.capturePendingSuccess,
  'capture fails': CARDS.capturePendingFailure,
}

/** Minor units of EUR as the interface writes them. */
export function formatAmount(minor: number): string {
  return (minor / 100).toFixed(2)
}

/** Makes the product's database refuse what must never happen, and its network obey `world.fault`. */
export async function prepareWorld(app: TestApp): Promise<{
  newWorld: () => Promise<{ world: World; model: Model }>
  putAway: (world: World) => Promise<void>
}> {
  await guardTables(app)
  const began = app.now()
  let present: World | undefined
  const processors = app.checkstand.deps.processors.builtIn
  const sandbox = processors.get('sandbox') as Processor
  processors.set(
    'sandbox',
    wrapOperations(
      sandbox,
      faulty((isVoid) => {
        const spared = isVoid && present?.sparesVoids === true
        return spared ? 'none' : (present?.fault ?? 'none')
      }),
    ),
  )
  return {
    async newWorld() {
      // Each run has a merchant of its own, and begins at the same moment.
      app.pass(began - app.now())
      const merchant = await app.newMerchant()
      await openPayees(merchant)
      const { json } = await merchant.api('/accounts', { body: { account: { crm_key: 'payer' } } })
      const world: World = {
        app,
        merchant,
        paymentsClient: openPaymentsClient(app, merchant),
        account: json.account.id,
        fault: 'none',
        sparesVoids: false,
        token: (card) => cardToken(app, CARD_NUMBERS[card], FAR_EXPIRY),
      }
      present = world
      return { world, model: newModel(app.now(), world.account) }
    },
    putAway: (world) => deleteMerchantData(world),
  }
}

/** Jobs work for all merchants: what a run leaves open must not be theirs to do in the next one. */
export async function deleteMerchantData({
  app,
  merchant,
}: Pick<World, 'app' | 'merchant'>): Promise<void> {
  const { db } = app.checkstand.deps
  for (const [table, column] of [
    ['attempts', 'next_check'],
    ['charges', 'next_attempt'],
    ['contracts', 'next_due'],
    ['payments', 'due'],
    ['method_setups', 'next_check'],
  ] as const) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = null
      where instance_id = ${merchant.instance.id}`.execute(db)
  }
}

/** Returns a network between the server and the processor, which does what `fault` says. */
function faulty(fault: (isVoid: boolean) => Fault): Wrap {
  return (name, operate) => async (operation) => {
    const now = name === 'query' || name === 'cancel' ? 'none' : fault(name === 'void')
    if (now === 'lost') throw new Error('the request never arrived')
    if (now === 'declined') {
      const reference = `ref ${randomUUID()}`
      return { status: 'DECLINED', reference, code: 'DECLINED', message: 'No.' } as never
    }
    const result = await operate(operation)
    if (now === 'silent') throw new Error('the answer never arrived')
    return result
  }
}
