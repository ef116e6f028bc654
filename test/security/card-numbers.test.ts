import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { newLink, openPayerClient } from '../payer-client.ts'

const app = await startTestApp()

describe('the number and the code of a card', () => {
  const NUMBER = '5555555555554444'
  const message = (member: string) =>
    `${member} must not contain a card number (prefix other numbers with a letter)`
  const card = (member: string, path: string, body: unknown, named = member) =>
    [member, path, body, message(named)] as const
  const link = (member: string, options: unknown) =>
    card(`payment_link.options.${member}`, '/payment_links', { payment_link: { options } })
  const payment = (member: string, more: object) =>
    card(`payment.${member}`, '/payments', {
      payment: { amount: '1.00', payment_method: { token: 'tok_a' }, ...more },
    })

  it.each([
    link('alt_key', { alt_key: NUMBER }),
    link('description', { description: `Paid with ${NUMBER}` }),
    link('default_description', { default_description: '5555 5555 5555 4444' }),
    link('default_alt_key', { default_alt_key: `${NUMBER} x` }),
    link('name', { name: NUMBER }),
    link('account.first_name', { account: { first_name: NUMBER } }),
    link('account.crm_key', { account: { crm_key: NUMBER } }),
    link('account.address.line1', { account: { address: { line1: NUMBER } } }),
    card('payment_link.state', '/payment_links', { payment_link: { state: { a: [NUMBER] } } }),
    card('account.crm_key', '/accounts', { account: { crm_key: NUMBER } }),
    card('account.tags', '/accounts', { account: { crm_key: 'a', tags: NUMBER } }),
    card('account.metadata.note', '/accounts', {
      account: { crm_key: 'a', metadata: { note: `card ${NUMBER}` } },
    }),
    card('account.metadata', '/accounts', {
      account: { crm_key: 'a', metadata: { [NUMBER]: '' } },
    }),
    payment('alt_key', { alt_key: NUMBER }),
    payment('description', { description: NUMBER }),
    payment('reason', { reason: NUMBER }),
    payment('metadata.a', { metadata: { a: NUMBER } }),
    card('refund.reference', '/payments/x/refund', { refund: { reference: NUMBER } }),
    card('capture.description', '/payments/x/capture', { capture: { description: NUMBER } }),
    card('instance_webhook.description', '/instance_webhooks', {
      instance_webhook: { url: 'https://a.example', events: ['*'], description: NUMBER },
    }),
  ])('is refused in %s', async (_member, path, body, expected) => {
    const response = await app.merchant.api(path, { body })
    expect(response.status, response.text).toBe(400)
    expect(response.json.error.message).toBe(expected)
    expect(response.text).not.toContain(NUMBER)
  })

  it.each(['description', 'alt_key', 'account.first_name', 'account.phone'])(
    'is refused in what a payer types: %s',
    async (member) => {
      const open = await newLink(app.merchant, { amount: '1.00', allow_description: true })
      const payer = await openPayerClient(app, open.id)
      const [first = '', second] = member.split('.')
      const typed = { [first]: second === undefined ? NUMBER : { [second]: NUMBER } }
      const { status, json } = await payer.payByCard(CARDS.approve, typed)
      expect([status, json.error.message]).toEqual([400, message(member)])
    },
  )

  it('is not repeated where a name cannot be one', async () => {
    const body = { payment_link: { [NUMBER]: 1, options: {} } }
    const { text, status } = await app.merchant.api('/payment_links', { body })
    expect(status).toBe(400)
    expect(text).toContain('Unknown field payment_link.[card number]')
  })

  it('is seen in no order number of thirteen digits, and in none with a letter before it', async () => {
    for (const alt_key of [
      '5555555555554',
      '1893456000000',
      '4006381333931',
      'o4111111111111111',
    ]) {
      const response = await app.merchant.api('/payment_links', {
        body: { payment_link: { options: { alt_key } } },
      })
      expect(response.status, response.text).toBe(200)
    }
  })

  it('is nowhere in the database and in the log after a payment, a decline and every refusal', async () => {
    const payer = await openPayerClient(
      app,
      (await newLink(app.merchant, { amount: '1.00', save_card: true })).id,
    )
    await payer.payByCard(CARDS.decline)
    await payer.payByCard(NUMBER, { description: NUMBER })
    await payer.payByCard(NUMBER)
    await app.call('/sandbox/tokens', { body: { card: { number: NUMBER, csc: 'x' } } })
    await app.call(`/pay/${NUMBER}?number=${NUMBER}`, { headers: { 'x-card': NUMBER } })
    await app.merchant.api('/payments', {
      body: { payment: { amount: '1.00', payment_method: { token: NUMBER } } },
      headers: { 'idempotency-key': randomUUID() },
    })
    const stored = await everyRow(app)
    expect(stored).toContain('"4444"')
    for (const number of [NUMBER, CARDS.decline]) {
      expect(stored).not.toContain(number)
      expect(app.logged()).not.toContain(number)
    }
    expect(stored).not.toMatch(/"(csc|cvc|cvv|security_code)"/)
  })
})

/** All that a database holds, as JSON. */
async function everyRow({ checkstand }: TestApp): Promise<string> {
  const { db } = checkstand.deps
  const tables = await db.introspection.getTables()
  expect(tables.length).toBeGreaterThan(20)
  const rows = []
  for (const { name } of tables) {
    rows.push(
      await db
        .selectFrom(name as 'checkouts')
        .selectAll()
        .execute(),
    )
  }
  return JSON.stringify(rows)
}
