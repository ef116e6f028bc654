import { describe, expect, it } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { PASSWORD, newUser } from '../../test/oauth.ts'

/** The test and the live instance of a merchant, which name each other. */

const app = await startTestApp()

/** A merchant with a user, the test instance `default` and the live instance `live`. */
async function openPair() {
  const { merchant, email } = await newUser(app)
  const { name } = await app.checkstand.deps.db
    .selectFrom('merchants')
    .select('name')
    .where('id', '=', merchant.instance.merchant_id)
    .executeTakeFirstOrThrow()
  await app.newMerchant({ merchant: name, key: 'live', mode: 'LIVE' })
  const call = (key: string, path: string, more: object = {}) =>
    app.call(`/c/api/instances/${key}${path}`, {
      headers: { authorization: basic(`${email}:${PASSWORD}`) },
      ...more,
    })
  const put = (key: string, twin: string | null) =>
    call(key, `/instances/${key}`, { method: 'PUT', body: { instance: { twin } } })
  const read = async (key: string) => (await call(key, `/instances/${key}`)).json.instance
  return { merchant, name, email, call, put, read }
}

describe('twins', () => {
  it('name each other from one request on, until either parts them', async () => {
    const { call, put, read } = await openPair()
    expect((await put('default', 'live')).json.instance).toMatchObject({ twin: 'live', v: 2 })
    expect(await read('live')).toMatchObject({ twin: 'default', v: 2 })
    const { whoami } = (await call('live', '/whoami')).json
    expect(whoami.instance).toMatchObject({ key: 'live', mode: 'LIVE', twin: 'default' })
    const twins = whoami.instances.map(({ twin }: { twin: string }) => twin)
    expect(twins.toSorted()).toEqual(['default', 'live'])
    expect((await put('live', 'default')).json.instance.v).toBe(2)
    expect((await put('live', null)).json.instance).toMatchObject({ twin: null, v: 3 })
    expect(await read('default')).toMatchObject({ twin: null, v: 3 })
  })

  it('are of two modes and of one merchant, and of nothing else', async () => {
    const { name, put, read } = await openPair()
    const refusal = async (key: string, twin: string) => (await put(key, twin)).json.error?.message
    await app.newMerchant({ merchant: name, key: 'second' })
    await app.newMerchant({ key: 'foreign', mode: 'LIVE' })
    expect(await refusal('default', 'foreign')).toBe('instance.twin does not exist')
    expect(await refusal('default', 'default')).toBe('instance.twin must be of the other mode')
    expect(await refusal('default', 'second')).toBe('instance.twin must be of the other mode')
    await put('default', 'live')
    expect(await refusal('second', 'live')).toBe('instance.twin is the twin of default already')
    expect(await read('live')).toMatchObject({ twin: 'default' })
  })

  it('follow a move to another one', async () => {
    const { name, put, read } = await openPair()
    await app.newMerchant({ merchant: name, key: 'other', mode: 'LIVE' })
    await put('default', 'live')
    await put('default', 'other')
    expect([await read('live'), await read('other')]).toMatchObject([
      { twin: null },
      { twin: 'default' },
    ])
  })

  it('are set by users who can change both, and by no key', async () => {
    const { merchant, email, put } = await openPair()
    const { api } = merchant
    const body = { instance: { twin: 'live' } }
    const byKey = await api('/instances/default', { method: 'PUT', body })
    expect(byKey.json.error.message).toBe('instance.twin does not exist')
    await put('default', 'live')
    const parted = await api('/instances/default', {
      method: 'PUT',
      body: { instance: { twin: null } },
    })
    expect(parted.status).toBe(403)
    // What stays as it is needs nothing.
    expect((await api('/instances/default', { method: 'PUT', body })).status).toBe(200)
    await app.checkstand.deps.db
      .updateTable('users')
      .set({ instances: JSON.stringify([merchant.instance.id]) })
      .where('email', '=', email)
      .execute()
    expect((await put('default', null)).status).toBe(403)
  })

  it('are paired once by two requests at a time', async () => {
    const { put, read } = await openPair()
    const answers = await Promise.all([put('default', 'live'), put('live', 'default')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([await read('default'), await read('live')]).toMatchObject([
      { twin: 'live', v: 2 },
      { twin: 'default', v: 2 },
    ])
  })
})
