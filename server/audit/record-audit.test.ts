import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newPlatform } from '../../test/oauth.ts'
import { hashSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import { findUser } from '../users/store.ts'
import { commandLineActor } from './command-line-actor.ts'
import { pruneAudit } from './prune.ts'
import { type Audited, recordAudit } from './record-audit.ts'

const app = await startTestApp({ AUDIT_RETENTION_DAYS: '30' })
const { deps } = app.checkstand
const email = 'ada@shop.example'
const { instance, secretKey } = await app.newMerchant({
  user: { email, password: 'correct: horse' },
})

async function record(entry: Partial<Audited>) {
  await inTransaction(deps.db, (tx) =>
    recordAudit(tx, {
      at: app.now(),
      by: commandLineActor(),
      of: { instance: instance.id },
      action: 'instance.changed',
      ...entry,
    }),
  )
  return deps.db.selectFrom('audit').selectAll().orderBy('created').orderBy('id').execute()
}

async function recordOne(entry: Partial<Audited>) {
  await deps.db.deleteFrom('audit').execute()
  return (await record(entry))[0]
}

it('names who does something, as they are called then', async () => {
  const user = await findUser(deps.db, email)
  expect(
    await recordOne({ by: { type: 'USER', user: user?.id ?? '', ip: '203.0.113.7' } }),
  ).toMatchObject({
    actor_type: 'USER',
    actor_id: user?.id,
    actor_name: email,
    ip: '203.0.113.7',
    instance_id: instance.id,
    merchant_id: instance.merchant_id,
  })
  const key = { type: 'API_KEY', credential: hashSecret(secretKey) } as const
  expect((await recordOne({ by: key }))?.actor_id).toMatch(/^key_/)
  const platform = await newPlatform(app)
  expect(await recordOne({ by: { type: 'OAUTH', client: platform.id } })).toMatchObject({
    actor_id: platform.id,
    actor_name: expect.any(String),
  })
  expect(await recordOne({})).toMatchObject({
    actor_type: 'COMMAND_LINE',
    actor_name: expect.any(String),
  })
})

it('leaves out what the server and payers do', async () => {
  expect(await recordOne({ by: { type: 'SYSTEM' } })).toBeUndefined()
  expect(await recordOne({ by: { type: 'CHECKOUT', checkout: 'ck_1_a' } })).toBeUndefined()
})

it('removes what looks like a secret or a card number, even from a name', async () => {
  const entry = await recordOne({ detail: { name: `${secretKey} 4242 4242 4242 4242` } })
  expect(JSON.parse(entry?.detail ?? '')).toEqual({ name: 'sk_[removed] [card number removed]' })
})

it('is written with the act or not at all', async () => {
  await deps.db.deleteFrom('audit').execute()
  const failed = inTransaction(deps.db, async (tx) => {
    await recordAudit(tx, {
      at: app.now(),
      by: commandLineActor(),
      of: { instance: instance.id },
      action: 'instance.changed',
    })
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect(await deps.db.selectFrom('audit').selectAll().execute()).toEqual([])
})

it('is deleted after AUDIT_RETENTION_DAYS', async () => {
  const day = 86_400_000
  await recordOne({ at: app.now() - 30 * day - 1 })
  await record({ at: app.now() - 30 * day })
  await pruneAudit(deps)
  expect(await deps.db.selectFrom('audit').selectAll().execute()).toHaveLength(1)
})
