import { expect, it } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { archiveLink } from '../payment-links/archive.ts'
import { startTestApp } from '../../test/app.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { openCheckout } from './open-session.ts'
import { getCheckout, insertCheckout } from './store.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { api, instance } = app.merchant

it('closes a session that is opened while its link is archived', async () => {
  const link = await newLink(app.merchant)
  const { checkout } = await openPayerClient(app, link.id)
  const id = newId('ck', app.now())
  const { ending } = await inTransaction(deps.db, async (tx) => {
    await insertCheckout(tx, { ...(await getCheckout(tx, checkout.id)), id })
    return untilBlocked(deps.db, () => api(`/payment_links/${link.id}`, { method: 'DELETE' }))
  })
  expect((await ending).status).toBe(204)
  expect((await getCheckout(deps.db, id)).status).toBe('EXPIRED')
})

it('opens no session on a link that is being archived', async () => {
  const link = await newLink(app.merchant)
  const { ending } = await inTransaction(deps.db, async (tx) => {
    await archiveLink({ ...deps, db: tx }, instance.id, link.id)
    return untilBlocked(deps.db, () => openCheckout(deps, { paymentLink: link.id }, {}, {}))
  })
  await expect(ending).rejects.toThrow('Payment link is no longer available')
})
