import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../shared/rules/time.ts'
import { startTestApp } from '../../test/app.ts'
import { hashSecret } from '../auth/secrets.ts'
import { listSecretKeys, revokeSecretKey } from './store.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

const lastUsed = async (instanceId: string) =>
  (await listSecretKeys(db, instanceId)).map(({ last_used }) => last_used)

describe('the last use of a secret key', () => {
  it('is recorded at the first call, then at most once a minute', async () => {
    const merchant = await app.newMerchant()
    const { id } = merchant.instance
    expect(await lastUsed(id)).toEqual([null])
    const first = formatInstant(app.now())
    await merchant.api('/accounts')
    expect(await lastUsed(id)).toEqual([first])
    app.pass(59_999)
    await merchant.api('/accounts')
    expect(await lastUsed(id)).toEqual([first])
    app.pass(1)
    await merchant.api('/accounts')
    expect(await lastUsed(id)).toEqual([formatInstant(app.now())])
  })

  it('is not recorded for a wrong key, nor for another key of the instance', async () => {
    const merchant = await app.newMerchant()
    await merchant.api('/accounts', { headers: { authorization: 'Basic c2tfd3Jvbmc6' } })
    expect(await lastUsed(merchant.instance.id)).toEqual([null])
  })

  it('does not fail a call when it cannot be written', async () => {
    const merchant = await app.newMerchant()
    await sql`alter table secret_keys rename column last_used to last_used_away`.execute(db)
    const response = await merchant.api('/accounts')
    await sql`alter table secret_keys rename column last_used_away to last_used`.execute(db)
    expect(response.status).toBe(200)
  })
})

it('a revoked key stops working at once', async () => {
  const merchant = await app.newMerchant()
  expect((await merchant.api('/accounts')).status).toBe(200)
  const hash = hashSecret(merchant.secretKey)
  await revokeSecretKey(db, { hash, now: formatInstant(app.now()) })
  expect((await merchant.api('/accounts')).status).toBe(401)
})
