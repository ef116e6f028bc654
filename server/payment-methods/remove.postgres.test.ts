import { expect, it } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import { startTestApp } from '../../test/app.ts'
import { countLockWaits } from '../../test/lock-waits.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { lockPaymentMethod } from './store.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const { id: instanceId } = app.merchant.instance

it('removing a method waits for the charges that lock it, which do not wait for each other', async () => {
  const { method } = await openPaymentsClient(app).storeCard()
  const read = () => app.merchant.api(`/payment_methods/${method}`)
  const removal = await inTransaction(db, async (tx) => {
    expect(await lockPaymentMethod(tx, instanceId, method, app.now())).toMatchObject({ id: method })
    const second = inTransaction(db, (other) =>
      lockPaymentMethod(other, instanceId, method, app.now()),
    )
    expect(await second).toMatchObject({ id: method })
    const removing = app.merchant.api(`/payment_methods/${method}`, { method: 'DELETE' })
    await expect.poll(() => countLockWaits(db), { timeout: 20_000 }).toBe(1)
    expect((await read()).json.payment_method.status).toBe('ACTIVE')
    return { removing }
  })
  expect((await removal.removing).status).toBe(204)
  expect((await read()).json.payment_method.status).toBe('REMOVED')
  const late = inTransaction(db, (tx) => lockPaymentMethod(tx, instanceId, method, app.now()))
  expect(await late).toMatchObject({ status_at: 'REMOVED' })
})
