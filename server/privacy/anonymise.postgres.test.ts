import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import type { ApiResponse } from '../../test/client.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { cardToken, newLink, openPayerClient } from '../../test/payer-client.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { lockCharge } from '../charges/store.ts'
import { inTransaction } from '../db/transaction.ts'

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
