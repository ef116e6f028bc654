import SqliteDatabase from 'better-sqlite3'
import { expect, it, vi } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { openTestDatabase } from '../testing/database.ts'
import { cardToken, CARDS, newLink, openPayer } from '../testing/payer.ts'

vi.setConfig({ testTimeout: 30_000 })

const database = await openTestDatabase()
const app = await startTestApp({ DATABASE_URL: database.url })

it('a file that another process keeps locked is 503 with a time to come again, and no defect', async () => {
  const link = await newLink(app.merchant)
  const payer = await openPayer(app, link.id)
  const other = new SqliteDatabase(database.url.slice('file:'.length))
  other.exec('begin immediate')
  const created = app.merchant.api('/payment_links', { body: { payment_link: {} } })
  const read = await app.merchant.api(`/payment_links/${link.id}`)
  const text = { string: { text: 'Pay now' } }
  const written = app.merchant.api('/strings/methods.title', { method: 'PUT', body: text })
  const answers = [await created, await written]
  other.exec('rollback')
  other.close()
  expect(read.status).toBe(200)
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.text).toContain('The database is locked by another process')
  }
  expect(app.logged()).not.toContain('request failed')
  const list = await app.merchant.api('/payment_links')
  expect(list.json.payment_links).toHaveLength(1)
  const payment_method = {
    type: 'CARD',
    processor: 'sandbox',
    token: await cardToken(app, CARDS.approve),
  }
  expect((await payer.submit({ payment_method })).json.outcome).toBe('COMPLETED')
})
