import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import {
  completeChallenge,
  openNewLink,
  openPayerClient,
  readLink,
} from '../../test/payer-client.ts'
import { type Json, reconcileAfter } from '../../test/payments-client.ts'
import { unendable } from '../../test/unendable-processor.ts'
import type { Processor } from '../processors/port.ts'
import { settleAttempt } from '../payments/settle.ts'

/**
 * A bank payment that was left is approved at the moment at which another payer pays the link. Both wait
 * for the link's row here, and either may have it first.
 */

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand
const { builtIn } = deps.processors
builtIn.set('sandbox', unendable(builtIn.get('sandbox') as Processor))

/** A link whose payer has left the bank's page, which then approves, and tried another card in vain. */
async function leaveForBank() {
  const merchant = await app.newMerchant()
  const { link, payer } = await openNewLink({ ...app, merchant })
  const { json } = await payer.payByCard(CARDS.challenge)
  app.pass(1)
  expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
  const { id } = await deps.db
    .selectFrom('attempts')
    .select('id')
    .where('instance_id', '=', merchant.instance.id)
    .where('set_aside', '=', 1)
    .executeTakeFirstOrThrow()
  await completeChallenge(app, json.action.url, 'approve')
  const approval = await (builtIn.get('sandbox') as Processor).query(id)
  if (approval.status !== 'APPROVED') throw new Error(`it is ${approval.status}`)
  const other = await openPayerClient(app, link.id)
  return {
    merchant,
    link: link.id as string,
    approve: () => settleAttempt(deps, id, approval),
    payOther: () => other.payByCard(CARDS.approve),
  }
}

it.each(['approval', 'payer'] as const)(
  'keeps one price when the %s begins first',
  async (first) => {
    const { merchant, link, approve, payOther } = await leaveForBank()
    const acts = first === 'approval' ? [approve, payOther] : [payOther, approve]
    const ending = await deps.db.transaction().execute(async (tx) => {
      // Not what an attempt's reference to its link waits for, but what a change of the link does.
      await sql`select id from payment_links where id = ${link} for no key update`.execute(tx)
      const started: Promise<unknown>[] = []
      for (const act of acts) {
        started.push((await untilBlocked<unknown>(deps.db, act, started.length)).ending)
      }
      return started
    })
    await Promise.all(ending)
    for (let n = 0; n < 3; n += 1) await reconcileAfter(app, 120_000)
    const { payments } = (await merchant.api('/payments?order=created')).json
    const taken = payments.filter(({ status }: Json) => status === 'SUCCESS')
    const kept = taken.filter(({ surplus }: Json) => !surplus)
    expect(kept).toHaveLength(1)
    expect(kept[0].refunded_amount).toBe('0.00')
    for (const { refunded_amount } of taken.filter(({ surplus }: Json) => surplus)) {
      expect(refunded_amount).toBe('12.50')
    }
    // Which of them has the row first pays the link; the money of the other is returned, or was never taken.
    expect(await readLink(merchant, link)).toMatchObject({
      status: 'PAYMENT_SUCCESS',
      payment: kept[0].id,
    })
    const [left] = payments
    expect([left.status, left.surplus]).toEqual(['SUCCESS', taken.length === 2])
  },
)
