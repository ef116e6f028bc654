import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'

/** Every error of a body names the member with its full path, and the rule. */

const app = await startTestApp()
const { api } = app.merchant
const link = (await api('/payment_links', { body: { payment_link: {} } })).json.payment_link
const JSON_TYPE = { 'content-type': 'application/json' }

const routes = app.checkstand.mounts
  .filter(({ security }) => security === 'basic')
  .flatMap(({ routes: all }) => all)

/** The member that a body must have, where it must have one. */
const wrapped = [
  ['POST', '/accounts', 'account'],
  ['PUT', '/accounts/x', 'account'],
  ['PUT', '/contracts/x', 'contract'],
  ['PUT', '/charges/x', 'charge'],
  ['POST', '/payment_links', 'payment_link'],
  ['PUT', `/payment_links/${link.id}`, 'payment_link'],
  ['POST', '/payment_links/x/send', 'mail'],
  ['POST', '/deep_links', 'deep_link'],
  ['PUT', '/deep_links/x', 'deep_link'],
  ['POST', '/payments', 'payment'],
  ['PUT', '/refunds/x', 'refund'],
  ['PUT', '/preferences', 'preferences'],
  ['PUT', '/strings/methods.title', 'string'],
  ['POST', '/strings', 'strings'],
  ['POST', '/string_revisions', 'revision'],
  ['POST', '/string_imports', 'string_import'],
  ['PUT', '/string_acks', 'string_acks'],
  ['POST', '/instance_webhooks', 'instance_webhook'],
  ['PUT', '/instance_webhooks/x', 'instance_webhook'],
  ['POST', '/instance_webhooks/x/replay', 'replay'],
  ['PUT', '/checkout_monitor/alerts', 'checkout_monitor'],
  ['PUT', '/instances/default', 'instance'],
  ['POST', '/legal_entities', 'legal_entity'],
  ['PUT', '/legal_entities/x', 'legal_entity'],
  ['POST', '/legal_entity_routes', 'legal_entity_route'],
  ['PUT', '/legal_entity_routes', 'legal_entity_routes'],
  ['PUT', '/legal_entity_routes/x', 'legal_entity_route'],
  ['POST', '/legal_entity_routes/resolve', 'payment'],
  ['POST', '/processors', 'processor'],
  ['PUT', '/processors/x', 'processor'],
  ['POST', '/users', 'user'],
  ['PUT', '/users/x', 'user'],
  ['POST', '/secret_keys', 'secret_key'],
  ['POST', '/views', 'view'],
  ['PUT', '/secret_keys/x', 'secret_key'],
  ['POST', '/sandbox/clock', 'clock'],
] as const

async function refusal(method: string, path: string, raw: string, headers = JSON_TYPE) {
  const { status, json } = await api(path, { method, raw, headers })
  return [status, json.error?.message ?? json.message]
}

describe('a body without its member', () => {
  it.each(wrapped)('of %s %s is rejected with the name %s', async (method, path, name) => {
    for (const raw of ['{}', '', '{"nobody":{}}']) {
      expect(await refusal(method, path, raw), raw).toEqual([400, `${name} is required`])
    }
    expect(await refusal(method, path, '', {} as never)).toEqual([400, `${name} is required`])
    expect(await refusal(method, path, `{"${name}":null}`)).toEqual([
      400,
      `${name} must not be null`,
    ])
    expect(await refusal(method, path, `{"${name}":5}`)).toEqual([
      400,
      `${name} must be an ${name.endsWith('s') && name !== 'preferences' ? 'array' : 'object'}`,
    ])
    expect(await refusal(method, path, '[]')).toEqual([400, 'body must be an object'])
  })

  it('is tested at every route with a required body', () => {
    // Routes without a required body.
    const required = routes.filter(
      ({ body, bodyOptional }) => body && !bodyOptional && !body.safeParse({}).success,
    )
    const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    const untried = required.filter(
      (route) =>
        !wrapped.some(
          ([method, path]) =>
            route.method === method.toLowerCase() && pattern(route.path).test(path),
        ),
    )
    expect(untried.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it('with only the mode reports the missing member', async () => {
    const raw = '{"mode":"PATCH"}'
    expect(await refusal('PUT', `/payment_links/${link.id}`, raw)).toEqual([
      400,
      'payment_link is required',
    ])
  })
})

describe('a member', () => {
  const token = { token: 'tok_a' }
  const pay = (more: object) => ({ payment: { amount: '1.00', payment_method: token, ...more } })
  const save = (more: object) => ({ strings: [{ id: 'methods.title', text: 'x', ...more }] })
  it.each([
    [
      '/payment_links',
      { payment_link: { options: { account: { address: { country: 'UK' } } } } },
      'payment_link.options.account.address.country must be an ISO 3166-1 alpha-2 code such as DE',
    ],
    ['/payments', pay({ account: [{}] }), 'payment.account must be a string or an object'],
    [
      '/payments',
      pay({ payment_method: true }),
      'payment.payment_method must be a string or an object',
    ],
    [
      '/payments',
      pay({ payment_method: { type: 'CARD' } }),
      'payment.payment_method.token is required',
    ],
    ['/payments', pay({ recurring: {} }), 'payment.recurring.frequency is required'],
    ['/payments', pay({ parts: [] }), 'payment.parts must have at least 1 member'],
    [
      '/payments',
      pay({ parts: [{ charge: 'cg_1_a', amount: '1.00' }, { charge: 'x' }] }),
      'payment.parts.1.charge must be an id that begins with cg_',
    ],
    [
      '/strings',
      save({ language: 'xx' }),
      'strings.0.language must be a two-letter ISO 639-1 code or default',
    ],
    ['/strings', save({ branding: 'b' }), 'strings.0.branding does not belong to this instance'],
    [
      '/strings/methods.title',
      { string: { text: 'x', language: 'xx' } },
      'string.language must be a two-letter ISO 639-1 code or default',
    ],
    [
      '/instances/default',
      { instance: { languages: ['fr', 'zz'] } },
      'instance.languages.1 must be an ISO 639-1 code or default',
    ],
    [
      '/instances/default',
      {
        instance: {
          brandings: [
            { key: 'a', name: 'A' },
            { key: 'a', name: 'B' },
          ],
        },
      },
      'instance.brandings.1.key must differ from instance.brandings.0.key',
    ],
    [
      '/instances/default',
      { instance: { brandings: [{ key: 'a', name: 'A', channels: ['x', 'x'] }] } },
      'instance.brandings.0.channels.1 must differ from instance.brandings.0.channels.0',
    ],
  ])('at %s is named: %j', async (path, body, message) => {
    const method = /^\/\w+$/.test(path) ? 'POST' : 'PUT'
    expect(await refusal(method, path, JSON.stringify(body))).toEqual([400, message])
  })
})
