import { expect, it } from 'vitest'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { SettledAttempt } from '../deps.ts'
import type { PayerAttempt } from '../payments/attempts.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openNewLink } from '../../test/payer-client.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { countDecline } from './declines.ts'
import { NETWORK_DECLINES } from './limits.ts'

const app = await startTestApp()
const { deps } = app.checkstand

const network: TestApp = {
  ...app,
  call: (path, call = {}) => app.call(path, { from: '203.0.1.7', ...call }),
}

type Declined = SettledAttempt & { attempt: PayerAttempt }

/** Declines a payment from the network and returns the outcome. */
async function decline(): Promise<Declined> {
  const { payer } = await openNewLink({ ...network, merchant: app.merchant })
  expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
  const attempt = await deps.db
    .selectFrom('attempts')
    .selectAll()
    .where('checkout_id', '=', payer.checkout.id)
    .executeTakeFirstOrThrow()
  const payment = { status: 'DECLINE', gateway_status: 'DECLINED' }
  return { attempt, payment } as Declined
}

it('reports the limit to the second of two concurrent declines of a network', async () => {
  const declined: Declined[] = []
  for (let i = 0; i < NETWORK_DECLINES.max - 2; i += 1) declined.push(await decline())
  const count = (tx: Tx, which: number) =>
    countDecline(tx, deps, declined[which] as Declined, app.now() + which)
  const { ending } = await inTransaction(deps.db, async (tx) => {
    expect(await count(tx, 0)).toEqual([])
    return untilBlocked(deps.db, () => inTransaction(deps.db, (other) => count(other, 1)))
  })
  expect(await ending).toEqual([{ limit: 'network-declines', network: '203.0.1.0/24' }])
})
