import { expect, it } from 'vitest'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openNewLink } from '../../test/payer-client.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { countDecline, type TestedMethod } from './declines.ts'
import { NETWORK_DECLINES } from './limits.ts'

const app = await startTestApp()
const { deps } = app.checkstand

const network: TestApp = {
  ...app,
  call: (path, call = {}) => app.call(path, { from: '203.0.1.7', ...call }),
}

/** Declines a payment from the network and returns the outcome. */
async function decline(): Promise<TestedMethod> {
  const { payer } = await openNewLink({ ...network, merchant: app.merchant })
  expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
  const attempt = await deps.db
    .selectFrom('attempts')
    .selectAll()
    .where('checkout_id', '=', payer.checkout.id)
    .executeTakeFirstOrThrow()
  return { ...attempt, status: 'DECLINE', gateway_status: 'DECLINED' } as TestedMethod
}

it('reports the limit to the second of two concurrent declines of a network', async () => {
  const declined: TestedMethod[] = []
  for (let i = 0; i < NETWORK_DECLINES.max - 2; i += 1) declined.push(await decline())
  const count = (tx: Tx, which: number) =>
    countDecline(tx, deps, declined[which] as TestedMethod, app.now() + which)
  const { ending } = await inTransaction(deps.db, async (tx) => {
    expect(await count(tx, 0)).toEqual([])
    return untilBlocked(deps.db, () => inTransaction(deps.db, (other) => count(other, 1)))
  })
  expect(await ending).toEqual([{ limit: 'network-declines', network: '203.0.1.0/24' }])
})
