import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { openPaymentsClient } from '../../../test/payments-client.ts'
import { CARDS, cardToken } from '../../../test/payer-client.ts'
import { up } from './0020-one-method-per-card.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const till = openPaymentsClient(app)

async function undo(): Promise<void> {
  for (const index of [
    'payment_methods_dedupe_key',
    'contracts_payment_method',
    'charges_payment_method',
  ]) {
    await sql`drop index ${sql.ref(index)}`.execute(db)
  }
  await sql`alter table payment_methods drop column dedupe_key`.execute(db)
}

/** Inserts a copy of a method's row under another id. */
async function copy(id: string, change: { id: string; status: 'ACTIVE' | 'REMOVED' }) {
  const row = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('payment_methods')
    .values({ ...row, ...change })
    .execute()
}

it('duplicates that were stored before stay, and the newest one in use is the one that is updated', async () => {
  const { account, method } = await till.storeCard()
  await undo()
  await copy(method, { id: `${method}a`, status: 'ACTIVE' })
  await copy(method, { id: `${method}b`, status: 'ACTIVE' })
  await copy(method, { id: `${method}c`, status: 'REMOVED' })
  await db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>))

  const token = await cardToken(app, CARDS.approve)
  const payment = await till.pay(undefined, { account, payment_method: { token, save: true } })
  expect(payment.payment_method).toBe(`${method}b`)
  const { json } = await app.merchant.api(`/payment_methods?criteria=account=${account}&order=id`)
  expect(
    json.payment_methods.map(({ id, status, v }: Record<string, unknown>) => [id, status, v]),
  ).toEqual([
    [method, 'ACTIVE', 1],
    [`${method}a`, 'ACTIVE', 1],
    [`${method}b`, 'ACTIVE', 2],
    [`${method}c`, 'REMOVED', 1],
  ])
  expect((await till.pay(undefined, { payment_method: method })).status).toBe('SUCCESS')
})
