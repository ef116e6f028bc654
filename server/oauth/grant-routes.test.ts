import { describe, expect, it, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newPlatform, newTokens, newUser, opens, withToken } from '../../test/oauth.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 30_000 })

const app = await startTestApp()
const { merchant, email } = await newUser(app)
const { api } = merchant

const approve = async (scope = 'payments:read') => {
  const platform = await newPlatform(app)
  const tokens = await newTokens(app, email, platform, { scope })
  const { oauth_grants } = (await api(`/oauth_grants?criteria=client=${platform.id}`)).json
  return { platform, tokens, grant: oauth_grants[0] }
}
const end = (id: string) => api(`/oauth_grants/${id}`, { method: 'DELETE' })
const auditOf = async (id: string) =>
  (await api(`/audit?criteria=about=${id}&order=at,id`)).json.audit as { action: string }[]

describe('a grant', () => {
  it('is listed with the platform, the user, the scopes and its last use', async () => {
    const { platform, tokens, grant } = await approve('payments:read accounts:read')
    expect(grant).toMatchObject({
      client: { id: platform.id, name: expect.any(String) },
      user: { email },
      scopes: ['accounts:read', 'payments:read'],
      last_used: null,
    })
    app.pass(60_000)
    expect(await opens(app, tokens)).toBe(true)
    const { oauth_grants } = (await api(`/oauth_grants?criteria=id=${grant.id}`)).json
    expect(oauth_grants[0].last_used).toBe(new Date(app.now()).toISOString())
  })

  it('ends at once with its access token and its refresh token, and is gone from the list', async () => {
    const { platform, tokens, grant } = await approve('accounts:read')
    const other = await approve('accounts:read')
    app.pass(1000)
    expect(await opens(app, tokens)).toBe(true)
    expect((await end(grant.id)).status).toBe(204)
    expect((await withToken(app, tokens.access_token)('/accounts')).status).toBe(401)
    const refreshed = await platform.refresh(tokens.refresh_token)
    expect([refreshed.status, refreshed.json.error]).toEqual([400, 'invalid_grant'])
    expect((await api(`/oauth_grants?criteria=id=${grant.id}`)).json.oauth_grants).toEqual([])
    expect(await opens(app, other.tokens)).toBe(true)
    // A second time changes nothing.
    expect((await end(grant.id)).status).toBe(204)
    expect((await auditOf(grant.id)).map(({ action }) => action)).toEqual([
      'grant.approved',
      'grant.ended',
    ])
  })

  it('is unknown to another merchant and in another form', async () => {
    const { tokens, grant } = await approve('accounts:read')
    const other = await app.newMerchant()
    const path = `/oauth_grants/${grant.id}`
    expect((await other.api(path, { method: 'DELETE' })).status).toBe(404)
    expect((await end('og_x')).status).toBe(404)
    expect(await opens(app, tokens)).toBe(true)
  })

  it('is for no platform and no key with scopes to see or end', async () => {
    const { tokens, grant } = await approve('read write')
    const token = withToken(app, tokens.access_token)
    expect((await token('/oauth_grants')).status).toBe(403)
    expect((await token(`/oauth_grants/${grant.id}`, { method: 'DELETE' })).status).toBe(403)
    expect((await token('/audit')).status).toBe(403)
  })
})
