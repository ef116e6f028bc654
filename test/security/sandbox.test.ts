import { describe, expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { completeChallenge, cardToken, newLink, openPayerClient } from '../payer-client.ts'

/** The sandbox, where people type numbers that look like those of cards. */

const card = { number: CARDS.approve, exp_month: 12, exp_year: 2034, csc: '123' }

describe('the sandbox', () => {
  it('is nowhere on a server that has live instances only', async () => {
    const app = await startTestApp()
    const { db } = app.checkstand.deps
    await db.updateTable('instances').set({ mode: 'LIVE' }).execute()
    for (const [path, call] of [
      ['/sandbox/tokens', { body: { card } }],
      ['/sandbox/challenges/bank_x', {}],
      ['/sandbox/challenges/bank_x', { raw: 'choice=approve' }],
    ] as const) {
      const { status, json } = await app.call(path, call)
      expect([status, json]).toEqual([404, { error: { type: 'NOT_FOUND', message: 'Not found' } }])
    }
    await app.newMerchant({ mode: 'TEST' })
    expect((await app.call('/sandbox/tokens', { body: { card } })).status).toBe(200)
  })

  it('stays for payers of a test instance that was disabled while they were at the bank', async () => {
    const app = await startTestApp()
    const payer = await openPayerClient(app, (await newLink(app.merchant)).id)
    const { json } = await payer.payByCard(CARDS.challenge)
    const disabled = new Date(app.now()).toISOString()
    await app.checkstand.deps.db.updateTable('instances').set({ disabled }).execute()
    expect(await completeChallenge(app, json.action.url, 'approve')).toContain('/return')
  })

  it('is asked as often by one address as the payers’ part', async () => {
    const app = await startTestApp({ PAYER_RATE: '3' })
    const from = '203.0.113.1'
    const ask = async () => (await app.call('/sandbox/tokens', { body: { card }, from })).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
    expect((await app.call('/sandbox/challenges/bank_x', { from })).status).toBe(429)
    expect((await app.call('/sandbox/tokens', { body: { card } })).status).toBe(200)
  })

  it('takes no real card and no real account, and counts who tries', async () => {
    const app = await startTestApp()
    const real = '4111111111111111'
    const refused = await app.call('/sandbox/tokens', { body: { card: { ...card, number: real } } })
    expect(refused.status).toBe(400)
    expect(refused.json.error.message).toMatch(/^card\.number must be one of the test numbers/)
    const bank_account = { iban: 'DE89370400440532013000', holder: 'Ada Lovelace' }
    expect((await app.call('/sandbox/tokens', { body: { bank_account } })).status).toBe(400)
    const { security, db } = app.checkstand.deps
    expect(security.counts().get('real_number_in_sandbox')).toBe(2)
    const rows = await db
      .withTables<{ sandbox_tokens: { token: string } }>()
      .selectFrom('sandbox_tokens')
      .selectAll()
      .execute()
    expect(rows).toEqual([])
    expect(app.logged()).not.toContain(real)
    await cardToken(app, CARDS.approve)
  })
})
