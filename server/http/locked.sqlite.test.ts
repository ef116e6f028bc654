import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { reconcileDue } from '../payments/reconcile.ts'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openTestDatabase } from '../../test/database.ts'
import { stubProcessor, openPaymentsClient, chargedDuring } from '../../test/payments-client.ts'
import { cardToken, newLink, openPayerClient } from '../../test/payer-client.ts'

const database = await openTestDatabase()
const app = await startTestApp({ DATABASE_URL: database.url }, { busyMs: 100 })

/** Locks the file from another process. Returns a function that releases it. */
function lock(): () => void {
  const other = new SqliteDatabase(database.url.slice('file:'.length))
  other.exec('begin immediate')
  return () => {
    other.exec('rollback')
    other.close()
  }
}

it('a file that another process locks is 503 with Retry-After, and is not logged as a defect', async () => {
  const link = await newLink(app.merchant)
  const payer = await openPayerClient(app, link.id)
  const unlock = lock()
  const created = app.merchant.api('/payment_links', { body: { payment_link: {} } })
  const read = await app.merchant.api(`/payment_links/${link.id}`)
  const text = { string: { text: 'Pay now' } }
  const written = app.merchant.api('/strings/methods.title', { method: 'PUT', body: text })
  const responses = [await created, await written]
  unlock()
  expect(read.status).toBe(200)
  for (const response of responses) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(response.text).toContain('The database is locked by another process')
  }
  expect(app.logged()).not.toContain('request failed')
  const list = await app.merchant.api('/payment_links')
  expect(list.json.payment_links).toHaveLength(1)
  expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
})

it('an outcome that a locked file rejects is queried again, and the payment is taken once', async () => {
  const till = openPaymentsClient(app)
  const payment_method = { token: await cardToken(app, CARDS.approve) }
  const headers = { 'idempotency-key': 'while it is locked' }
  const send = () => till.send({ amount: '10.00', currency: 'EUR', payment_method }, { headers })
  let unlock = () => {}
  stubProcessor(app, (real) => ({
    async pay(order) {
      const response = await real.pay(order)
      unlock = lock()
      return response
    },
  }))
  const amounts = await chargedDuring(app, async () => {
    const first = await send()
    unlock()
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '5'])
    app.pass(60_000)
    const repeated = (await send()).json.payment
    expect(repeated.status).toBe('PENDING')
    await reconcileDue(app.checkstand.deps)
    expect(await till.read(repeated.id)).toMatchObject({ status: 'SUCCESS', amount: '10.00' })
    expect((await send()).json.payment).toMatchObject({ id: repeated.id, status: 'SUCCESS' })
  })
  expect(amounts).toEqual([1000])
})
