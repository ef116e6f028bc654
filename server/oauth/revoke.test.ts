import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { changePassword, disableUser } from '../users/change.ts'
import { startTestApp } from '../../test/app.ts'
import type { Db } from '../db/tables.ts'
import { afterEachRead } from '../../test/after-each-read.ts'
import {
  locationOf,
  newCode,
  newPlatform,
  newTokens,
  newColleague,
  newUser,
  type Tokens,
  signedInBrowser,
  opens,
} from '../../test/oauth.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { email } = await newUser(app)
const platform = await newPlatform(app)

const refreshes = async ({ refresh_token }: Tokens) =>
  (await platform.refresh(refresh_token)).status === 200

describe('revoking', () => {
  it('a refresh token ends every token of its grant', async () => {
    const tokens = await newTokens(app, email, platform)
    const second = (await platform.refresh(tokens.refresh_token)).json
    const kept = await newTokens(app, email, platform)
    const response = await platform.revoke({ token: tokens.refresh_token })
    // Empty JSON, because simple-oauth2 parses the body and fails on none.
    expect([response.status, response.text]).toEqual([200, '{}'])
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect([await opens(app, tokens), await opens(app, second)]).toEqual([false, false])
    expect(await refreshes(tokens)).toBe(false)
    expect([await opens(app, kept), await refreshes(kept)]).toEqual([true, true])
  })

  it('an access token ends that one alone', async () => {
    const tokens = await newTokens(app, email, platform)
    const second = (await platform.refresh(tokens.refresh_token)).json
    expect((await platform.revoke({ token: tokens.access_token })).status).toBe(200)
    expect([await opens(app, tokens), await opens(app, second)]).toEqual([false, true])
    expect(await refreshes(tokens)).toBe(true)
  })

  it.each(['access_token', 'refresh_token', 'id_token'])(
    'works with the hint %s, be it right or wrong',
    async (token_type_hint) => {
      const tokens = await newTokens(app, email, platform)
      await platform.revoke({ token: tokens.refresh_token, token_type_hint })
      expect(await opens(app, tokens)).toBe(false)
      const others = await newTokens(app, email, platform)
      await platform.revoke({ token: others.access_token, token_type_hint })
      expect([await opens(app, others), await refreshes(others)]).toEqual([false, true])
    },
  )

  it('an unknown, expired or foreign token gets the same response and changes nothing', async () => {
    const other = await newPlatform(app)
    const tokens = await newTokens(app, email, platform)
    const dead = await newTokens(app, email, platform)
    await platform.revoke({ token: dead.refresh_token })
    for (const [client, token] of [
      [platform, 'rt_unknown'],
      [platform, '\0'],
      [platform, dead.refresh_token],
      [platform, dead.access_token],
      [other, tokens.refresh_token],
      [other, tokens.access_token],
    ] as const) {
      const response = await client.revoke({ token })
      expect([response.status, response.text]).toEqual([200, '{}'])
    }
    expect([await opens(app, tokens), await refreshes(tokens)]).toEqual([true, true])
  })

  it('needs a client and a token, by POST', async () => {
    const tokens = await newTokens(app, email, platform)
    const stranger = await platform.revoke(
      { token: tokens.refresh_token },
      { headers: { authorization: 'Basic eDp5' } },
    )
    expect([stranger.status, stranger.json.error]).toEqual([401, 'invalid_client'])
    expect(await refreshes(tokens)).toBe(true)
    const nothing = await platform.revoke({})
    expect([nothing.status, nothing.json.error]).toEqual([400, 'invalid_request'])
    expect((await app.call('/oauth/revoke')).status).toBe(405)
  })

  it('wins over a refresh that runs at the same time', async () => {
    const tokens = await newTokens(app, email, platform)
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => platform.refresh(tokens.refresh_token)),
      platform.revoke({ token: tokens.refresh_token }),
      ...Array.from({ length: 5 }, () => platform.refresh(tokens.refresh_token)),
    ])
    for (const { json } of answers) {
      if (json.access_token) expect(await opens(app, json)).toBe(false)
    }
  })
})

describe('access ends at once', () => {
  it('when the user who approved it is disabled, codes and sessions included', async () => {
    const leaver = await newUser(app)
    await newColleague(app, leaver.merchant)
    const tokens = await newTokens(app, leaver.email, platform)
    const code = await newCode(app, leaver.email, platform)
    await disableUser(deps, leaver.email)
    expect([await opens(app, tokens), await refreshes(tokens)]).toEqual([false, false])
    expect((await platform.exchange(code)).status).toBe(400)
  })

  it('when the instance is deleted', async () => {
    const closing = await newUser(app)
    const tokens = await newTokens(app, closing.email, platform)
    const { id } = closing.merchant.instance
    for (const table of ['secret_keys', 'actor_sessions', 'audit']) {
      await sql`delete from ${sql.table(table)} where instance_id = ${id}`.execute(deps.db)
    }
    await deps.db.deleteFrom('instances').where('id', '=', id).execute()
    expect([await opens(app, tokens), await refreshes(tokens)]).toEqual([false, false])
  })

  it('when the user’s password changes, codes included, and reports how many grants', async () => {
    const careful = await newUser(app)
    const tokens = await newTokens(app, careful.email, platform)
    const code = await newCode(app, careful.email, platform)
    expect(await changePassword(deps, careful.email, 'another password')).toBe(2)
    expect([await opens(app, tokens), await refreshes(tokens)]).toEqual([false, false])
    expect((await platform.exchange(code)).status).toBe(400)
    expect(await changePassword(deps, careful.email, 'one more password')).toBe(0)
  })

  it('but not where the change of the password is to keep it', async () => {
    const careful = await newUser(app)
    const tokens = await newTokens(app, careful.email, platform)
    const kept = { keepGrants: true }
    expect(await changePassword(deps, careful.email, 'another password', kept)).toBe(0)
    expect([await opens(app, tokens), await refreshes(tokens)]).toEqual([true, true])
  })

  it.each([
    [
      'password changes',
      (db: Db, who: string) => changePassword({ ...deps, db }, who, 'another password'),
    ],
    ['access ends', (db: Db, who: string) => disableUser({ ...deps, db }, who)],
  ])('and an approval grants nothing, whenever the user’s %s meanwhile', async (_what, end) => {
    const plain = deps.db
    let reads = 1
    for (let moment = 1; moment <= reads; moment += 1) {
      const leaver = await newUser(app)
      await newColleague(app, leaver.merchant)
      const browser = await signedInBrowser(app, leaver.email)
      const page = await browser.get(platform.request())
      reads = 0
      deps.db = afterEachRead(plain, async () => {
        reads += 1
        if (reads === moment) await end(plain, leaver.email)
      })
      const response = await browser.send(platform.request(), page, { decision: 'approve' })
      deps.db = plain
      // An approval that went through reads less than one that was stopped.
      if (reads < moment) break
      const code = new URL(locationOf(response), 'http://here').searchParams.get('code')
      if (code) expect((await platform.exchange(code)).status, `after read ${moment}`).toBe(400)
    }
    expect(reads).toBe(3)
  })
})
