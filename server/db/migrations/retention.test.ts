import { createHash, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { readKeyedDigest } from '../keyed-digest.ts'
import { startTestApp } from '../../../test/app.ts'
import { newLink, openPayerClient } from '../../../test/payer-client.ts'
import { up } from './0018-retention.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { db } = deps

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Restores the state before the migration, with plain hashes. */
async function undo(request: { key: string; hash: string }, submitted: string): Promise<void> {
  await sql`drop table server_keys`.execute(db)
  await sql`drop index if exists checkouts_ended`.execute(db)
  await sql`drop index sandbox_tokens_unused`.execute(db)
  await sql`alter table payment_links drop column removed_opened`.execute(db)
  await sql`alter table payment_links drop column removed_last_opened`.execute(db)
  const keys = db.updateTable('idempotency_keys').set({ request_hash: request.hash })
  await keys.where('key', '=', request.key).execute()
  await db
    .updateTable('attempts')
    .set({ request_hash: submitted })
    .where('request_hash', 'is not', null)
    .execute()
}

it('a request from before the keyed digests is recognized after the migration', async () => {
  const key = randomUUID()
  const body = { account: { crm_key: 'a' } }
  const make = () => app.merchant.api('/accounts', { body, headers: { 'idempotency-key': key } })
  const made = await make()
  const payer = await openPayerClient(app, (await newLink(app.merchant)).id)
  const submit = { attempt_key: randomUUID(), options_v: 1, payment_method: { token: 'tok_x' } }
  expect((await payer.submit(submit)).json.outcome).toBe('DECLINED')

  const hash = sha256(`POST /accounts\n${JSON.stringify(body)}`)
  await undo({ key, hash }, sha256(JSON.stringify(submit)))
  await db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>))
  deps.keyedDigest = await readKeyedDigest(db)

  const again = await make()
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([made.text, 'true'])
  expect((await payer.submit(submit)).json.outcome).toBe('DECLINED')
  const other = await payer.submit({ ...submit, description: 'x' })
  expect(other.json.error.message).toBe('attempt_key was used for another submission')
  const { request_hash } = await db
    .selectFrom('idempotency_keys')
    .select('request_hash')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  expect(request_hash).not.toBe(hash)
})

it('no digest that is kept can be made again without the key', async () => {
  const key = randomUUID()
  const body = { account: { crm_key: 'b' } }
  await app.merchant.api('/accounts', { body, headers: { 'idempotency-key': key } })
  const payer = await openPayerClient(app, (await newLink(app.merchant)).id)
  const submit = { attempt_key: randomUUID(), options_v: 1, payment_method: { token: 'tok_y' } }
  await payer.submit(submit)
  const tables = await db.introspection.getTables()
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db
        .selectFrom(name as 'attempts')
        .selectAll()
        .execute(),
    ),
  )
  const stored = JSON.stringify(rows)
  expect(stored).toContain(deps.keyedDigest(JSON.stringify(submit)))
  expect(stored).not.toContain(sha256(JSON.stringify(submit)))
  expect(stored).not.toContain(sha256(`POST /accounts\n${JSON.stringify(body)}`))
})
