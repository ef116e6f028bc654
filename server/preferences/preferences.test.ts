import { describe, expect, it, vi } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { consoleOf } from '../../test/console-session.ts'
import { newUser, openConsole, PASSWORD, signedInBrowser } from '../../test/oauth.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp()
const { merchant, email } = await newUser(app)
const browser = await signedInBrowser(app, email)
const call = await consoleOf(app, browser)
const path = `/c/api/instances/${merchant.instance.key}/preferences`
const change = (preferences: object) => call(path, { method: 'PUT', body: { preferences } })

const DEFAULTS = { theme: 'system', density: 'normal', timezone: null, columns: {}, views: [] }
const VIEW = { name: 'Large', list: 'payments', query: 'where=amount%3E%3D1000&order=amount:desc' }

describe('the preferences of a user', () => {
  it('begin with defaults, and keep the members that a change does not name', async () => {
    expect((await call(path)).json).toEqual({ preferences: DEFAULTS })
    expect((await change({ theme: 'dark' })).json.preferences).toEqual({
      ...DEFAULTS,
      theme: 'dark',
    })
    const columns = { payments: ['amount', 'when'] }
    await Promise.all([change({ columns }), change({ views: [VIEW] })])
    const kept = { ...DEFAULTS, theme: 'dark', columns, views: [VIEW] }
    expect((await call(path)).json.preferences).toEqual(kept)
    expect((await openConsole(browser))?.preferences).toEqual(kept)
    expect((await change({ views: [] })).json.preferences.views).toEqual([])
  })

  it('are the same by password, and others have their own', async () => {
    const headers = { authorization: basic(`${email}:${PASSWORD}`) }
    expect((await merchant.api('/preferences', { headers })).json.preferences.theme).toBe('dark')
    const other = await newUser(app)
    const asOther = { authorization: basic(`${other.email}:${PASSWORD}`) }
    const theirs = await other.merchant.api('/preferences', { headers: asOther })
    expect(theirs.json.preferences).toEqual(DEFAULTS)
  })

  it('are no business of keys', async () => {
    const { status, json } = await merchant.api('/preferences')
    expect([status, json.error.message]).toEqual([403, 'Only users have preferences'])
  })

  it.each([
    [{ theme: 'pink' }, 'preferences.theme'],
    [{ timezone: 'Mars/Olympus' }, 'preferences.timezone must be an IANA time zone name'],
    [{ columns: { 'No list': [] } }, 'preferences.columns'],
    [{ views: [{ ...VIEW, name: '' }] }, 'preferences.views.0.name'],
    [{ views: Array.from({ length: 51 }, () => VIEW) }, 'preferences.views'],
    [{ shortcuts: true }, 'Unknown field preferences.shortcuts'],
  ])('refuse %j', async (wrong, message) => {
    const { status, json } = await change(wrong)
    expect(status).toBe(400)
    expect(json.error.message).toContain(message)
  })
})
