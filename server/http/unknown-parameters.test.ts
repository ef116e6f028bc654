import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'

const app = await startTestApp()
const { api } = app.merchant

const merchants = app.checkstand.mounts
  .filter(({ security }) => security === 'basic')
  .flatMap(({ routes }) => routes)

async function statusAndMessage(path: string, init?: Parameters<typeof api>[1]) {
  const { status, json } = await api(path, init)
  return [status, json.error?.message ?? json.message]
}

describe('an unknown query parameter of the API', () => {
  it.each(merchants.map((route) => [route.method, route.path] as const))(
    'is rejected by name at %s %s',
    async (method, path) => {
      const body = ['post', 'put'].includes(method) ? { body: {} } : {}
      const [status, message] = await statusAndMessage(`${path.replace(/:\w+/g, 'x')}?nobody=1`, {
        method: method.toUpperCase(),
        ...body,
      })
      expect([status, message]).toEqual([
        400,
        expect.stringMatching(/^Unknown query parameter nobody; /),
      ])
    },
  )

  it.each(
    merchants.flatMap(({ path, fields = [] }) => fields.map((field) => [path, field] as const)),
  )('is rejected at %s with the equivalent criteria if it is the field %s', async (path, field) => {
    expect(await statusAndMessage(`${path.replace(/:\w+/g, 'x')}?limit=5&${field}=ACTIVE`)).toEqual(
      [400, `Unknown query parameter ${field}; use criteria=${field}=ACTIVE`],
    )
  })

  it.each([
    [
      '/accounts?ofset=20',
      'Unknown query parameter ofset; known here: criteria, order, expand, limit, offset, columns, timezone',
    ],
    ['/accounts?email=a,b', 'Unknown query parameter email; use criteria=email=…'],
    ['/accounts?phone=4242424242424242', 'Unknown query parameter phone; use criteria=phone=…'],
    ['/accounts?constructor=1', /^Unknown query parameter constructor; known here/],
    ['/accounts?=1', /^Unknown query parameter ""; known here/],
    ['/accounts?4242424242424242=1', /^Unknown query parameter \[card number\]; known/],
    [`/accounts?${'x'.repeat(5000)}=1`, /^Unknown query parameter x{64}…; known/],
    ['/accounts/x?limit=1', 'Unknown query parameter limit; known here: expand'],
    ['/instances/default?a', 'Unknown query parameter a; there are none here'],
    [
      '/strings?criteria=id~=pay',
      'Unknown query parameter criteria; known here: language, branding, set, overridden, stale, limit, offset',
    ],
    ['/strings?order=id', /^Unknown query parameter order; known here/],
  ])('is rejected with a suggestion: %s', async (path, message) => {
    expect(await statusAndMessage(path)).toEqual([
      400,
      typeof message === 'string' ? message : expect.stringMatching(message),
    ])
  })

  it('is rejected before the request has any effect', async () => {
    const body = { account: { crm_key: 'never-made' } }
    expect((await statusAndMessage('/accounts?first_name=Ada', { body }))[0]).toBe(400)
    expect((await api('/accounts/never-made')).status).toBe(404)
  })
})

describe('every list', () => {
  it('declares the fields that its criteria can name', () => {
    const lists = merchants.filter(({ query }) => Object.hasOwn(query?.shape ?? {}, 'order'))
    expect(lists.length).toBeGreaterThan(10)
    for (const { path, fields } of lists) expect(fields, path).toContain('created')
  })
})

describe('a foreign query parameter', () => {
  it('of a write to a string is ignored if the body has a member of that name', async () => {
    const body = { string: { text: 'Donate {amount}' } }
    const path = '/strings/checkout.pay?language=fr&branding=nobody'
    const { status, json } = await api(path, { method: 'PUT', body })
    expect([status, json.string.language]).toEqual([200, 'default'])
  })

  it('of a page is ignored', async () => {
    const { json } = await api('/payment_links', { body: { payment_link: {} } })
    const id = json.payment_link.id as string
    for (const path of [`/pay/${id}`, '/sign-in', `/pay/${id}/qr.svg`]) {
      const status = async (to: string) => (await app.call(to)).status
      expect(await status(`${path}?utm_source=mail`), path).toBe(await status(path))
    }
  })
})
