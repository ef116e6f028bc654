import { describe, expect, it } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { basic } from '../testing/app.ts'
import { ensureFirstInstance } from './seed.ts'

const app = await startTestApp()
const { deps } = app.checkstand

describe('a server that is started on a database with an instance', () => {
  it('adds the key and the user that the environment now names, and prints no key', async () => {
    const user = { email: 'late@example.com', password: 'a late password' }
    const config = { ...deps.config, secretKey: 'sk_test_added_later_0123456789', admin: user }
    for (let start = 0; start < 2; start += 1) {
      const first = await ensureFirstInstance({ ...deps, config }, 'Unused')
      expect([first.instance.id, first.secretKey]).toEqual([app.merchant.instance.id, undefined])
    }
    for (const credentials of [
      'sk_test_added_later_0123456789:',
      'late@example.com:a late password',
    ]) {
      const headers = { authorization: basic(credentials) }
      expect((await app.call('/c/api/instances/default/strings', { headers })).status).toBe(200)
    }
  })
})
