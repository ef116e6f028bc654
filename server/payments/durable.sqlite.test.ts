import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { sqlitePath } from '../db/open.ts'
import type { ApiResponse } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { startPaymentsApp } from '../../test/payments-app.ts'
import { cardToken, newLink, openPayerClient } from '../../test/payer-client.ts'

/**
 * What is durable when, without any tool: another connection to the
 * file sees what was committed and nothing else, and a COMMIT returns only when its log is on the
 * disk (`synchronous` is FULL on every connection, which opening asserts). That the system really
 * flushes is shown by `npm run faults`, from outside.
 */

const { app, client, bend } = await startPaymentsApp()
const file = new Database(sqlitePath(app.checkstand.deps.config.databaseUrl), { readonly: true })
afterAll(() => file.close())
const stateOf = file.prepare<[string], string>('select state from attempts where id = ?').pluck()
const statusOf = (table: 'payments' | 'refunds' | 'voids') =>
  file.prepare<[string], string>(`select status from ${table} where id = ?`).pluck()

/** Each operation with the state in which it was committed when the processor was called. */
function watchProcessor(): [string, string | undefined][] {
  const seen: [string, string | undefined][] = []
  for (const name of ['pay', 'authorize', 'capture', 'refund', 'void'] as const) {
    bend(name, (ask, operation) => {
      seen.push([name, stateOf.get(operation)])
      return ask()
    })
  }
  return seen
}

describe('an operation', () => {
  it('is on the disk before the processor is called', async () => {
    const seen = watchProcessor()
    const link = await newLink(app.merchant)
    await (await openPayerClient(app, link.id)).payByCard(CARDS.approve)
    const reserved = await client.authorise()
    await client.capture(reserved.id, { amount: '3.00' })
    await client.release(reserved.id)
    await client.refund((await client.pay()).id)
    expect(seen).toEqual([
      ['pay', 'SENT'],
      ['authorize', 'SENT'],
      ['capture', 'SENT'],
      ['void', 'SENT'],
      ['pay', 'SENT'],
      ['refund', 'SENT'],
    ])
  })

  it('has its outcome on the disk before the response, also when concurrent', async () => {
    const recorded = (table: Parameters<typeof statusOf>[0], { json, text }: ApiResponse) => {
      const [record] = Object.values(json) as { id: string; status: string }[]
      expect(record?.id, text).toBeDefined()
      return [record?.status, statusOf(table).get(record?.id ?? '')]
    }
    const pairs = await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        const card = n % 4 === 0 ? CARDS.decline : CARDS.approve
        const token = await cardToken(app, card)
        const sent = { amount: '10.00', currency: 'EUR', payment_method: { token } }
        const paid = await client.send(sent)
        const outcome = recorded('payments', paid)
        if (n % 4 === 0) return [outcome]
        const refunded = await client.refund(paid.json.payment.id, { amount: '1.00' })
        return [outcome, recorded('refunds', refunded)]
      }),
    )
    for (const [answered, stored] of pairs.flat()) expect(stored).toBe(answered)
    expect(new Set(pairs.flat(2))).toEqual(new Set(['SUCCESS', 'DECLINE']))
  })
})
