import { describe, expect, it } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'

/** Contract section 5: credentials first (401), and only then the instance (404). */

const app = await startTestApp()
const { instance, secretKey } = app.merchant
const owner = { email: 'Ada@shop.example', password: 'correct: horse' }
const shop = await app.newMerchant({ key: 'main', user: owner })
const EMPTY = { payment_link: {} }

const call = (authorization: string | undefined, key: string = instance.key) =>
  app.call(`/c/api/instances/${key}/payment_links`, {
    body: EMPTY,
    headers: authorization === undefined ? {} : { authorization },
  })

const UNAUTHORISED = { code: 'UNAUTHORIZED', message: 'Unauthorized' }

describe('a secret key', () => {
  it.each(['Basic', 'basic', 'BASIC'])(
    'opens its instance behind the scheme %s',
    async (scheme) => {
      const header = basic(`${secretKey}:`).replace('Basic', scheme)
      expect((await call(header)).status).toBe(200)
    },
  )

  it('opens nothing with a password beside it', async () => {
    expect((await call(basic(`${secretKey}:x`))).status).toBe(401)
    expect((await call(basic(`${secretKey}::`))).status).toBe(401)
  })

  it('is matched whole and in its case', async () => {
    for (const wrong of [secretKey.slice(0, -1), `${secretKey}x`, secretKey.toUpperCase()]) {
      expect((await call(basic(`${wrong}:`))).status).toBe(401)
    }
  })
})

describe('a user of the merchant', () => {
  it('opens an instance of the merchant, with a colon in the password', async () => {
    expect((await call(basic(`${owner.email}:${owner.password}`), 'main')).status).toBe(200)
  })

  it('may spell the e-mail in any case, and the password in one', async () => {
    expect((await call(basic(`ada@SHOP.example:${owner.password}`), 'main')).status).toBe(200)
    expect((await call(basic(`${owner.email}:Correct: horse`), 'main')).status).toBe(401)
  })

  it('opens no instance of another merchant', async () => {
    const foreign = await call(basic(`${owner.email}:${owner.password}`), instance.key)
    expect(foreign.status).toBe(404)
  })

  it('is indistinguishable from one that does not exist', async () => {
    const wrong = await call(basic(`${owner.email}:wrong`), 'main')
    const nobody = await call(basic('nobody@shop.example:wrong'), 'main')
    expect([wrong.status, wrong.text]).toEqual([401, JSON.stringify(UNAUTHORISED)])
    expect([nobody.status, nobody.text]).toEqual([wrong.status, wrong.text])
  })
})

describe('credentials that are refused before the instance is looked at', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  // A key whose text needs padding, so that leaving it out is a second spelling.
  const padded = encoded(`${secretKey}:`.padEnd(3 * Math.ceil((secretKey.length + 1) / 3) + 1, 'x'))

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a scheme alone', 'Basic'],
    ['a scheme and a space', 'Basic '],
    ['no scheme', encoded(`${secretKey}:`)],
    ['another scheme', `Bearer ${secretKey}`],
    ['a bearer token where the path has an instance', `Bearer ${encoded(`${secretKey}:`)}`],
    ['no colon', basic(secretKey)],
    ['no user name', basic(':')],
    ['a password alone', basic(`:${secretKey}`)],
    ['something else than base64', 'Basic ***'],
    ['base64 of the URL kind', 'Basic __--'],
    ['base64 without its padding', `Basic ${padded.replaceAll('=', '')}`],
    ['base64 with more padding', `Basic ${encoded(`${secretKey}:`)}=`],
    ['base64 with something behind it', `${basic(`${secretKey}:`)} x`],
    ['two credentials', `${basic(`${secretKey}:`)}, ${basic(`${secretKey}:`)}`],
    ['a NUL character', basic(`${secretKey}\0:`)],
  ])('%s', async (_what, header) => {
    for (const key of [instance.key, 'nowhere']) {
      const response = await call(header, key)
      expect(response.status).toBe(401)
      expect(response.json).toEqual(UNAUTHORISED)
    }
  })

  it('are Basic ones on a path that leaves the instance out', async () => {
    const headers = { authorization: basic(`${secretKey}:`) }
    const response = await app.call('/c/api/payment_links', { body: EMPTY, headers })
    expect(response.status).toBe(401)
    expect(response.json).toEqual(UNAUTHORISED)
  })
})

it('decodes the instance key of the path once', async () => {
  const spelt = Array.from(instance.key)
    .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
    .join('')
  expect((await call(basic(`${secretKey}:`), spelt)).status).toBe(200)
  expect((await call(basic(`${secretKey}:`), spelt.replaceAll('%', '%25'))).status).toBe(404)
  expect((await call(basic(`${secretKey}:`), '%zz')).status).toBe(404)
})

it('writes no credentials to the log', async () => {
  await call(basic(`${secretKey}:`))
  await call(basic(`${owner.email}:${owner.password}`), 'main')
  await call(basic('nobody@shop.example:hush hush'))
  const log = app.logged()
  for (const secret of [secretKey, shop.secretKey, owner.password, 'hush']) {
    expect(log).not.toContain(secret)
    expect(log).not.toContain(Buffer.from(secret).toString('base64').slice(0, 8))
  }
})
