import { describe, expect, it, vi } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { newUser, PASSWORD } from '../../test/oauth.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordAudit } from './record-audit.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 30_000 })

const app = await startTestApp()
const { deps } = app.checkstand
const { merchant, email } = await newUser(app)
const { api, instance } = merchant
const asOwner = { headers: { authorization: basic(`${email}:${PASSWORD}`) } }
const list = async (query = '', call = {}) => {
  const { status, json, text } = await api(`/audit${query}`, call)
  expect(status, text).toBe(200)
  return json.audit
}

describe('GET /audit', () => {
  it('says who did what to which record, and from where', async () => {
    const body = { secret_key: { name: 'Shop', scopes: ['read'] } }
    const { json } = await api('/secret_keys', { body, from: '203.0.113.7', ...asOwner })
    const { id } = json.secret_key
    await api(`/secret_keys/${id}`, { method: 'PUT', body: { secret_key: { name: 'Till' } } })
    await api(`/secret_keys/${id}`, { method: 'PUT', body: { secret_key: { name: 'Till' } } })
    await api(`/secret_keys/${id}`, { method: 'DELETE' })
    await api(`/secret_keys/${id}`, { method: 'DELETE' })
    const entries = await list(`?criteria=about=${id}`)
    expect(entries).toHaveLength(3)
    expect(entries).toContainEqual({
      id: expect.stringMatching(/^aud_/),
      at: new Date(app.now()).toISOString(),
      actor: { type: 'USER', id: expect.stringMatching(/^usr_/), name: email },
      action: 'secret_key.created',
      about: id,
      ip: '203.0.113.7',
      detail: { scopes: ['read'] },
    })
    const actor = { type: 'API_KEY', id: expect.stringMatching(/^key_/), name: null }
    const changed = { action: 'secret_key.changed', detail: { members: ['name'] }, actor }
    expect(entries).toContainEqual(expect.objectContaining(changed))
    expect(entries).toContainEqual(expect.objectContaining({ action: 'secret_key.revoked', actor }))
  })

  it('names the changed settings of an instance, and nothing that stayed', async () => {
    const path = `/instances/${instance.key}`
    const change = { name: 'Renamed', default_currency: instance.default_currency }
    expect((await api(path, { method: 'PUT', body: { instance: change } })).status).toBe(200)
    const [entry] = await list('?criteria=action=instance.changed')
    expect(entry).toMatchObject({ about: instance.id, detail: { members: ['name'] } })
  })

  it('has each CSV, with the fields of its criteria and without their values', async () => {
    const headers = { accept: 'text/csv' }
    const csv = await api('/accounts?criteria=email=ada@shop.example', { headers })
    expect(csv.status).toBe(200)
    const [entry] = await list('?criteria=action=list.exported')
    expect(entry.detail).toEqual({ list: 'accounts', fields: ['email'], rows: 0 })
    const refused = await api('/accounts?columns=nothing', { headers })
    expect(refused.status).toBe(400)
    expect(await list('?criteria=action=list.exported')).toHaveLength(1)
  })

  it('is a CSV itself', async () => {
    const { text } = await api('/audit?columns=at,actor.name,action', {
      headers: { ...asOwner.headers, accept: 'text/csv' },
    })
    expect(text).toContain('at,actor.name,action')
    expect(text).toContain(`,${email},secret_key.created`)
  })

  it('shows what concerns the merchant as a whole to users, and to no key', async () => {
    await inTransaction(deps.db, (tx) =>
      recordAudit(tx, {
        at: app.now(),
        by: { type: 'ANONYMOUS', ip: '198.51.100.4' },
        of: { merchant_id: instance.merchant_id },
        action: 'sign_in.failed',
      }),
    )
    const query = '?criteria=action=sign_in.failed'
    expect(await list(query)).toEqual([])
    expect(await list(query, asOwner)).toHaveLength(1)
  })

  it.each(['DEVELOPER', 'SUPPORT', 'EDITOR', 'VIEWER'] as const)(
    'is closed to the role %s',
    async (role) => {
      const user = await newUser(app)
      await deps.db
        .updateTable('users')
        .set({ role })
        .where('email_folded', '=', user.email.toLowerCase())
        .execute()
      const headers = { authorization: basic(`${user.email}:${PASSWORD}`) }
      expect((await user.merchant.api('/audit', { headers })).status).toBe(403)
    },
  )

  it('has no request that changes or deletes an entry', async () => {
    const [{ id }] = await list('?limit=1')
    for (const method of ['PUT', 'DELETE', 'POST']) {
      expect((await api(`/audit/${id}`, { method })).status).toBe(404)
      expect((await api('/audit', { method, body: {} })).status).toBe(405)
    }
  })
})
