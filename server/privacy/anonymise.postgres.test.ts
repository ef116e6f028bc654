import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import type { ApiResponse } from '../../test/client.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { cardToken, newLink, openPayerClient } from '../../test/payer-client.ts'
import { DAY_MS, type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { openTaskBrowser } from '../../test/task-browser.ts'
import { lockCharge } from '../charges/store.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockDeepLink } from '../deep-links/store.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const { api } = app.merchant
const client = openPaymentsClient(app)

/** A customer who owes a charge, and what pays it with a card that is answered late. */
async function newDebtor() {
  const { account, method } = await client.storeCard()
  const due = '2040-01-01T00:00:00Z'
  const { charge } = await client.pay(undefined, { account, payment_method: method, due })
  const token = () => cardToken(app, CARDS.pendingSuccess)
  const byRequest = async () =>
    client.send({
      amount: '10.00',
      currency: 'EUR',
      account,
      payment_method: { token: await token(), save: true },
      parts: [{ charge, amount: '10.00' }],
    })
  const { id } = await newLink(app.merchant, { account, charges: [charge] })
  const payer = await openPayerClient(app, id)
  const byLink = async () => payer.payByCard(CARDS.pendingSuccess)
  return { account, charge, byRequest, byLink }
}

it.each(['byRequest', 'byLink'] as const)(
  'an account is not anonymised while a payment of it is being stored (%s)',
  async (how) => {
    const debtor = await newDebtor()
    // The scheduled payment would be a reason too.
    await api(`/charges/${debtor.charge}`, { method: 'PUT', body: { charge: { due: null } } })
    const anonymise = () => api(`/accounts/${debtor.account}/anonymise`, { body: {} })
    const { paying, anonymising } = await inTransaction(db, async (tx) => {
      await lockCharge(tx, debtor.charge)
      const started = await untilBlocked<ApiResponse>(db, debtor[how])
      return { paying: started, anonymising: await untilBlocked(db, anonymise, 1) }
    })
    const paid = await paying.ending
    expect(paid.status, paid.text).toBe(200)
    const refused = await anonymising.ending
    expect([refused.status, refused.json.error?.type]).toEqual([400, 'INVALID_STATE'])
  },
)

it('an account that is anonymised keeps no card that its customer was saving', async () => {
  const { account } = await client.storeCard()
  const expires = new Date(app.now() + DAY_MS).toISOString()
  const task = { action: 'ADD_PAYMENT_METHOD', account, expires }
  const { id } = (await api('/deep_links', { body: { deep_link: task } })).json.deep_link
  const browser = await openTaskBrowser(app, id)
  const anonymise = () => api(`/accounts/${account}/anonymise`, { body: {} })
  const { saving, anonymising } = await inTransaction(db, async (tx) => {
    await lockDeepLink(tx, id)
    const started = await untilBlocked(db, () => browser.save(CARDS.mastercard))
    return { saving: started, anonymising: await untilBlocked(db, anonymise, 1) }
  })
  expect((await saving.ending).status).toBe(200)
  const { status } = await anonymising.ending
  const { json } = await api(`/payment_methods?criteria=account=${account}`)
  const kept = json.payment_methods.filter((method: Json) => method.status === 'ACTIVE')
  expect([status, kept.length > 0]).toEqual(status === 200 ? [200, false] : [400, true])
})
