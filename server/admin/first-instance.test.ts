import { describe, expect, it } from 'vitest'
import { hashSecret } from '../auth/secrets.ts'
import { basic, startTestApp } from '../../test/app.ts'
import { ensureFirstInstance } from './first-instance.ts'
import { revokeSecretKey } from '../secret-keys/store.ts'

const app = await startTestApp()
const { deps } = app.checkstand

describe('a server that starts on a database with an instance', () => {
  it('adds the key and the user of the environment and prints no key', async () => {
    const user = { email: 'late@example.com', password: 'a late password' }
    const config = {
      ...deps.config,
      secretKey: 'sk_test_added_later_4f9c21d07ab83e65c1f2970d8be4a3f6',
      admin: user,
    }
    for (let start = 0; start < 2; start += 1) {
      const first = await ensureFirstInstance({ ...deps, config }, 'Unused')
      expect([first.instance.id, first.secretKey]).toEqual([app.merchant.instance.id, 'PRESET'])
    }
    for (const credentials of [
      'sk_test_added_later_4f9c21d07ab83e65c1f2970d8be4a3f6:',
      'late@example.com:a late password',
    ]) {
      const headers = { authorization: basic(credentials) }
      expect((await app.call('/c/api/instances/default/strings', { headers })).status).toBe(200)
    }
  })

  it('reports a key of the environment that is revoked, and leaves it revoked', async () => {
    const start = async (secretKey: string) => {
      const config = { ...deps.config, secretKey }
      return (await ensureFirstInstance({ ...deps, config }, 'Unused')).secretKey
    }
    app.pass(1)
    const other = await app.newMerchant({ key: 'other' })
    expect(await start(other.secretKey)).toBe('PRESET_OF_ANOTHER_INSTANCE')
    expect((await other.api('/accounts')).status).toBe(200)
    const { secretKey } = app.merchant
    expect(await start(secretKey)).toBe('PRESET')
    const now = '2030-05-01T12:00:00.000Z'
    await revokeSecretKey(deps.db, { hash: hashSecret(secretKey), now })
    expect(await start(secretKey)).toBe('PRESET_REVOKED')
    expect((await app.merchant.api('/accounts')).status).toBe(401)
  })
})
