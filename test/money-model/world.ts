import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Processor, ProcessorResponse } from '../../server/processors/port.ts'
import type { Merchant, TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { openPaymentsClient, type PaymentsClient } from '../payments-client.ts'
import { guardTables } from './guards.ts'
import { type Card, type Fault, type Model, newModel } from './model.ts'

/** The real thing: the whole product with one merchant, whose network can be made to fail. */
export interface World {
  app: TestApp
  merchant: Merchant
  paymentsClient: PaymentsClient
  account: string
  /** What happens to operations on their way to the processor, until it is said otherwise. */
  fault: Fault
  /** Voids are met by it where they are asked for; what a final capture leaves is let go in peace. */
  sparesVoids: boolean
  /** A token of the sandbox for such a card, good for one payment. */
  token: (card: Card) => Promise<string>
}

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
    faulty(sandbox, (isVoid) => {
      const spared = isVoid && present?.sparesVoids === true
      return spared ? 'none' : (present?.fault ?? 'none')
    }),
  )
  return {
    async newWorld() {
      // Each run has a merchant of its own, and begins at the same moment.
      app.pass(began - app.now())
      const merchant = await app.newMerchant()
      const { json } = await merchant.api('/accounts', { body: { account: { crm_key: 'payer' } } })
      const world: World = {
        app,
        merchant,
        paymentsClient: openPaymentsClient(app, merchant),
        account: json.account.id,
        fault: 'none',
        sparesVoids: false,
        token: (card) => newToken(app, card),
      }
      present = world
      return { world, model: newModel(app.now(), world.account) }
    },
    putAway: (world) => deleteMerchantData(world),
  }
}

/** A card for which years may pass. */
async function newToken(app: TestApp, card: Card): Promise<string> {
  const response = await app.call('/sandbox/tokens', {
    body: { card: { number: CARD_NUMBERS[card], exp_month: 12, exp_year: 2999, csc: '123' } },
  })
  expect(response.status, response.text).toBe(200)
  return response.json.token
}

/** Jobs work for all merchants: what a run leaves open must not be theirs to do in the next one. */
export async function deleteMerchantData({
  app,
  merchant,
}: Pick<World, 'app' | 'merchant'>): Promise<void> {
  const { db } = app.checkstand.deps
  const instanceId = merchant.instance.id
  await db
    .updateTable('attempts')
    .set({ next_check: null })
    .where('instance_id', '=', instanceId)
    .execute()
  await db
    .updateTable('charges')
    .set({ next_attempt: null })
    .where('instance_id', '=', instanceId)
    .execute()
  await db
    .updateTable('contracts')
    .set({ next_due: null })
    .where('instance_id', '=', instanceId)
    .execute()
  await db
    .updateTable('payments')
    .set({ due: null })
    .where('instance_id', '=', instanceId)
    .execute()
}

function faulty(sandbox: Processor, fault: (isVoid: boolean) => Fault): Processor {
  const through =
    <O>(operate: (operation: O) => Promise<ProcessorResponse>, isVoid = false) =>
    async (operation: O): Promise<ProcessorResponse> => {
      const now = fault(isVoid)
      if (now === 'lost') throw new Error('the request never arrived')
      if (now === 'declined') {
        const reference = `ref ${randomUUID()}`
        return { status: 'DECLINED', reference, code: 'DECLINED', message: 'No.' }
      }
      const result = await operate(operation)
      if (now === 'silent') throw new Error('the answer never arrived')
      return result
    }
  return {
    ...sandbox,
    pay: through((order) => sandbox.pay(order)),
    authorize: through((order) => sandbox.authorize(order)),
    capture: through((order) => sandbox.capture(order)),
    refund: through((order) => sandbox.refund(order)),
    void: through((order) => sandbox.void(order), true),
  }
}
