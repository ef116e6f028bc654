import { afterAll, describe, expect, it } from 'vitest'
import { hashSecret } from '../auth/secrets.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { basic, createCaller, startTestApp, type TestApp } from '../../test/app.ts'
import { insertSecretKey } from '../secret-keys/store.ts'

const MINUTE = 60_000
const app = await startTestApp()
/** Of the form that ours have, and of one that could be guessed. */
const STRONG = basic('sk_test_wrong_4f9c21d07ab83e65c1f2970d8be4a3f6:')
const WRONG = basic('sk_test_wrong0123456789:')
const RIGHT = basic(`${app.merchant.secretKey}:`)

function ask(
  from: string,
  authorization = WRONG,
  { path = '/payment_links', call = app.call }: { path?: string; call?: TestApp['call'] } = {},
) {
  const headers: Record<string, string> = authorization === '' ? {} : { authorization }
  return call(`/c/api/instances/default${path}`, { from, headers })
}

async function fail(from: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) expect((await ask(from)).status).toBe(401)
}

describe('an address with wrong credentials', () => {
  it('has twenty within ten minutes, and is then refused for ten, but with the right key', async () => {
    const from = '203.0.113.1'
    await fail(from, 20)
    const refused = await ask(from)
    expect([refused.status, refused.json.error.type]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(refused.headers.get('retry-after')).toBe('600')
    expect(refused.headers.has('www-authenticate')).toBe(false)
    const strong = await ask(from, STRONG)
    expect([strong.status, strong.headers.has('www-authenticate')]).toEqual([429, false])
    expect((await ask(from, RIGHT)).status).toBe(200)
    expect((await ask('203.0.113.2', RIGHT)).status).toBe(200)
    app.pass(10 * MINUTE - 1)
    expect((await ask(from)).headers.get('retry-after')).toBe('1')
    expect((await ask(from, RIGHT)).status).toBe(200)
    app.pass(1)
    await fail(from, 20)
    expect((await ask(from)).status).toBe(429)
  })

  it('is refused a key of an older time that could be guessed, right or wrong', async () => {
    const old = 'sk_test_old12'
    await insertSecretKey(app.checkstand.deps.db, {
      hash: hashSecret(old),
      instance_id: app.merchant.instance.id,
      secret: old,
      created: '2030-05-01T12:00:00.000Z',
    })
    const from = '203.0.113.8'
    expect((await ask(from, basic(`${old}:`))).status).toBe(200)
    await fail(from, 20)
    expect((await ask(from, basic(`${old}:`))).status).toBe(429)
  })

  it('is of an IPv6 customer, however many networks of theirs they use', async () => {
    const before = app.checkstand.deps.security.counts().get('credentials_refused') ?? 0
    for (let i = 0; i < 80; i += 1) {
      expect((await ask(`2001:db8:2:2${(i % 16).toString(16).padStart(2, '0')}::1`)).status).toBe(
        401,
      )
    }
    const refused = await ask('2001:db8:2:2ff::1')
    expect(refused.status).toBe(429)
    expect((await ask('2001:db8:2:300::1')).status).toBe(401)
    expect((await ask('2001:db8:2:2ff::1', RIGHT)).status).toBe(200)
    const after = app.checkstand.deps.security.counts().get('credentials_refused') ?? 0
    expect(after - before).toBe(1)
  })

  it('is refused in the shape of the area', async () => {
    const from = '203.0.113.3'
    await fail(from, 20)
    const { status, json } = await ask(from, WRONG, { path: '/strings' })
    expect([status, json.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  })

  it('is refused by every server of the database, and after a restart', async () => {
    const from = '203.0.113.4'
    await fail(from, 20)
    const { config } = app.checkstand.deps
    const log = createLog('silent', { write: () => {} })
    const second = await createCheckstand({ config, now: app.now, log })
    afterAll(() => second.close())
    const call = createCaller(second)
    const first = await ask(from, WRONG, { call })
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '600'])
    expect(first.headers.has('www-authenticate')).toBe(false)
    expect((await ask(from, STRONG, { call })).status).toBe(429)
    expect((await ask(from, RIGHT, { call })).status).toBe(200)
  })

  it('is written to the log once, and nothing of what it sent', async () => {
    const before = app.logged().length
    await fail('203.0.113.5', 20)
    await ask('203.0.113.5')
    const lines = app.logged().slice(before)
    expect(
      lines.match(
        /"event":"credentials_locked_out","limit":"wrong-credentials","network":"203.0.113.5"/g,
      ),
    ).toHaveLength(1)
    expect(lines).not.toContain('sk_test_wrong')
  })
})

describe('what is no guess', () => {
  it.each([
    ['no credentials', ''],
    ['a token, which may have run out', 'Bearer at_0123456789abcdef'],
  ])('%s', async (_what, authorization) => {
    const from = '203.0.113.6'
    for (let i = 0; i < 25; i += 1) expect((await ask(from, authorization)).status).toBe(401)
    expect((await ask(from, RIGHT)).status).toBe(200)
  })

  it('right credentials for a path that is not theirs', async () => {
    for (let i = 0; i < 25; i += 1) {
      const path = '/c/api/instances/nowhere/payment_links'
      const headers = { authorization: RIGHT }
      expect((await app.call(path, { from: '203.0.113.7', headers })).status).toBe(404)
    }
  })

  it('what comes from this machine, behind which a proxy may speak for all', async () => {
    await fail('127.0.0.1', 25)
  })
})
