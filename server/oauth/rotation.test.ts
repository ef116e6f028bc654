import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashSecret } from '../auth/secrets.ts'
import { type ApiResponse, startTestApp } from '../../test/app.ts'
import { pruneGrants } from './prune.ts'
import { RETRY_WINDOW_MS } from './refresh-token-grant.ts'
import { newCode, newPlatform, newUser, opens, setCount } from '../../test/oauth.ts'

/** The refresh tokens of public clients: replaced at each use, and reuse ends the access. */

const app = await startTestApp()
const { deps } = app.checkstand
const { email } = await newUser(app)
const open = await newPlatform(app, { isPublic: true })
const DAY = 86_400_000

const verifier = 'v'.repeat(43)
const challenge = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

async function connect(scope = 'read'): Promise<ApiResponse['json']> {
  const code = await newCode(app, email, open, { ...challenge, scope })
  const response = await open.exchange(code, { code_verifier: verifier })
  expect(response.status, response.text).toBe(200)
  return response.json
}

const refresh = async (token: string) => (await open.refresh(token)).json
const refused = { error: 'invalid_grant', error_description: expect.any(String) }
const reuses = () => deps.security.counts().get('oauth_token_reused') ?? 0

describe('the refresh token of a public client', () => {
  it('is replaced at each use, with the scopes and the end of the first', async () => {
    const first = await connect('accounts:read charges:read')
    app.pass(DAY)
    const response = await open.refresh(first.refresh_token, { scope: 'accounts:read' })
    expect(response.json).toEqual({
      access_token: expect.stringMatching(/^at_/),
      refresh_token: expect.stringMatching(/^rt_/),
      token_type: 'Bearer',
      expires_in: 3600,
    })
    expect(response.json.refresh_token).not.toBe(first.refresh_token)
    const rows = await deps.db
      .selectFrom('oauth_tokens')
      .select(['expires', 'scopes'])
      .where(
        'hash',
        'in',
        [first, response.json].map((each) => hashSecret(each.refresh_token)),
      )
      .execute()
    expect(rows).toHaveLength(2)
    expect(rows[1]).toEqual(rows[0])
  })

  it('revokes the whole grant when it comes again after its successor was used', async () => {
    const first = await connect()
    const second = await refresh(first.refresh_token)
    const third = await refresh(second.refresh_token)
    expect(await opens(app, third)).toBe(true)
    const before = reuses()
    expect(await refresh(first.refresh_token)).toEqual(refused)
    expect(reuses()).toBe(before + 1)
    for (const each of [first, second, third]) expect(await opens(app, each)).toBe(false)
    expect(await refresh(third.refresh_token)).toEqual(refused)
  })

  it('revokes the whole grant when it comes again late, its successor unused', async () => {
    const first = await connect()
    const second = await refresh(first.refresh_token)
    app.pass(RETRY_WINDOW_MS + 1)
    expect(await refresh(first.refresh_token)).toEqual(refused)
    expect(await opens(app, second)).toBe(false)
    expect(await refresh(second.refresh_token)).toEqual(refused)
  })

  it('may be sent again at once when the answer was lost, which voids the lost answer', async () => {
    const first = await connect()
    const lost = await refresh(first.refresh_token)
    app.pass(RETRY_WINDOW_MS)
    const retried = await refresh(first.refresh_token)
    expect([await opens(app, lost), await opens(app, retried), await opens(app, first)]).toEqual([
      false,
      true,
      true,
    ])
    const next = await refresh(retried.refresh_token)
    expect(await opens(app, next)).toBe(true)
    // The answer was not lost but stolen: its use gives the theft away.
    expect(await refresh(lost.refresh_token)).toEqual(refused)
    for (const each of [first, retried, next]) expect(await opens(app, each)).toBe(false)
  })

  it('is not consumed by a scope that exceeds the approved ones', async () => {
    const first = await connect('accounts:read')
    const more = await open.refresh(first.refresh_token, { scope: 'read' })
    expect(more.json.error).toBe('invalid_scope')
    expect(await opens(app, await refresh(first.refresh_token))).toBe(true)
    app.pass(RETRY_WINDOW_MS + 1)
    const reused = await open.refresh(first.refresh_token, { scope: 'read' })
    expect(reused.json).toEqual(refused)
    expect(await opens(app, first)).toBe(false)
  })

  it('leaves at most one that is good, however many requests come with it at once', async () => {
    const first = await connect()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(first.refresh_token)))
    expect(answers.filter((answer) => answer.error)).toEqual([])
    const unused = await deps.db
      .selectFrom('oauth_tokens')
      .select(['hash'])
      .where('parent', '=', hashSecret(first.refresh_token))
      .where('kind', '=', 'REFRESH')
      .where('used', 'is', null)
      .execute()
    expect(unused).toHaveLength(1)
    const good = await Promise.all(answers.map((answer) => opens(app, answer)))
    expect(good.filter(Boolean)).toHaveLength(1)
  })

  it('and its successor at once end in one order or the other, and never in two living ends', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await connect()
      const second = await refresh(first.refresh_token)
      const answers = await Promise.all([
        refresh(first.refresh_token),
        refresh(second.refresh_token),
        refresh(first.refresh_token),
      ])
      // Whichever came first, the other was used before or replaced: all of it ends.
      for (const each of [first, second, ...answers]) {
        if (each.access_token) expect(await opens(app, each)).toBe(false)
      }
    }
  })

  it('is remembered for thirty days after its use, so that its replay is noticed', async () => {
    const first = await connect()
    const second = await refresh(first.refresh_token)
    app.pass(30 * DAY - 1)
    await pruneGrants(deps)
    expect(await refresh(first.refresh_token)).toEqual(refused)
    expect(await refresh(second.refresh_token)).toEqual(refused)
    const other = await connect()
    const kept = await refresh(other.refresh_token)
    app.pass(30 * DAY)
    await pruneGrants(deps)
    expect(await refresh(other.refresh_token)).toEqual(refused)
    expect(await opens(app, await refresh(kept.refresh_token))).toBe(true)
  })
})

describe('a flood of requests for a public client', () => {
  const ask = async (client: typeof open, from: string) =>
    (await client.token({ grant_type: 'refresh_token', refresh_token: 'rt_none' }, { from })).status

  it('from one network uses up that network’s requests and no other’s', async () => {
    const client = await newPlatform(app, { isPublic: true })
    expect(await ask(client, '203.0.113.7')).toBe(400)
    await setCount(app, 'oauth-client-network', `${client.id} 203.0.113.7`, 120)
    expect(await ask(client, '203.0.113.7')).toBe(429)
    expect(await ask(client, '203.0.113.8')).toBe(400)
  })

  it('from many networks leaves each of them a share, and leaves callers inside theirs', async () => {
    const client = await newPlatform(app, { isPublic: true })
    expect(await ask(client, '203.0.113.7')).toBe(400)
    await setCount(app, 'oauth-client', client.id, 1_000_000)
    const statuses: number[] = []
    for (let n = 0; n < 22; n += 1) statuses.push(await ask(client, '203.0.113.7'))
    expect(statuses.filter((status) => status === 400)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
    expect(await ask(client, '203.0.113.9')).toBe(400)
    expect((await client.refresh('rt_none')).status).toBe(400)
  })
})
