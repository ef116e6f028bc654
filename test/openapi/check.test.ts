import { describe, expect, it } from 'vitest'
import { createCheck, type Exchange } from './check.ts'
import { serverDocument } from './expect-documented.ts'

const problem = createCheck(serverDocument())

const json = (value: unknown, more: Record<string, string> = {}) => ({
  headers: new Headers({ 'content-type': 'application/json', ...more }),
  text: JSON.stringify(value),
})
const exchange = (more: Partial<Exchange>): Exchange => ({
  method: 'GET',
  path: '/c/api/instances/default/strings/pay.button',
  requestHeaders: new Headers(),
  requestBody: '',
  status: 200,
  ...json({ string: { id: 'pay.button', text: 'Pay', language: 'default' } }),
  ...more,
})
const error = { error: { type: 'NOT_FOUND', message: 'Not found' } }
const event = (data: object) => ({
  id: 'evt_1_a',
  type: 'strings.updated',
  created: '2030-05-01T12:00:00.000Z',
  instance: 'default',
  v: 1,
  data,
})

describe('an exchange that matches the document', () => {
  it.each<[string, Partial<Exchange>]>([
    ['a record', {}],
    ['a record by a token', { path: '/c/api/strings/pay.button?language=fr' }],
    ['no body', { method: 'DELETE', path: '/c/api/payment_links/pl_1', status: 204, text: '' }],
    [
      'a method that the path has not',
      { method: 'PATCH', status: 405, ...json({ code: 'a', message: 'b' }, { allow: 'GET' }) },
    ],
    ['an address that does not exist', { path: '/nowhere', status: 404, ...json(error) }],
    [
      'an event',
      {
        path: '/c/api/events/evt_1_a',
        ...json({ event: event({ strings: { language: 'fr', branding: null, ids: [] } }) }),
      },
    ],
  ])('passes: %s', (_, more) => {
    expect(problem(exchange(more))).toBeUndefined()
  })
})

describe('an exchange that the document does not describe', () => {
  const body = (text: string) => ({
    method: 'PUT',
    requestHeaders: new Headers({ 'content-type': 'application/json' }),
    requestBody: text,
  })
  it.each<[string, Partial<Exchange>, string]>([
    ['an address', { path: '/nowhere' }, 'no operation is described'],
    ['a method', { method: 'POST' }, 'the method is not described'],
    ['a status', { status: 202 }, 'the status is not described'],
    [
      'a member',
      json({ string: { id: 'a', text: 'b', language: 'fr', more: 1 } }),
      'additional properties',
    ],
    ['a missing member', json({ string: { id: 'a', text: 'b' } }), "required property 'language'"],
    [
      'a type of a member',
      json({ string: { id: 'a', text: 1, language: 'fr' } }),
      'must be string',
    ],
    ['a type of body', { headers: new Headers({ 'content-type': 'text/plain' }) }, 'text/plain'],
    [
      'a body',
      { method: 'DELETE', path: '/c/api/payment_links/pl_1', status: 204 },
      'there is a body',
    ],
    ['a header', json({ string: {} }, { 'retry-after': '1' }), 'Retry-After is not described'],
    [
      'a missing header',
      { method: 'PATCH', status: 405, ...json({ code: 'a', message: 'b' }) },
      'Allow is missing',
    ],
    ['a value of a header', json({ string: {} }, { 'x-request-id': '7' }), 'must match format'],
    [
      'an event of no type',
      { path: '/c/api/events/evt_1_a', ...json({ event: { ...event({}), type: 'a.b' } }) },
      'no webhook is described',
    ],
    [
      'what an event carries',
      { path: '/c/api/events/evt_1_a', ...json({ event: event({ charge: {} }) }) },
      'strings.updated',
    ],
    [
      'a query that was accepted',
      {
        path: '/c/api/strings?limit=many',
        ...json({ strings: [], meta: { limit: 1, offset: 0, total: 0, languages: [], sets: [] } }),
      },
      'limit',
    ],
    ['a body that was accepted', body('{"string":{"text":"a","more":1}}'), 'additional properties'],
    ['a body that was left out', body(''), 'body is missing'],
  ])('fails: %s', (_, more, said) => {
    expect(problem(exchange(more))).toContain(said)
  })

  it('fails: a header of a request that was accepted', () => {
    const requestHeaders = new Headers({ 'if-match': 'x', 'content-type': 'application/json' })
    const path = '/c/api/instances/default'
    const sent = { method: 'PUT', path, requestHeaders, requestBody: '{"instance":{}}' }
    const instance = {
      key: 'default',
      mode: 'TEST',
      name: 'Shop',
      default_currency: 'EUR',
      timezone: null,
      languages: null,
      allowed_origins: [],
      theme: null,
      link_saved_methods: false,
      step_up_refund: null,
      support_refund_max: null,
      twin: null,
      brandings: [],
      created: '2030-05-01T12:00:00.000Z',
      updated: '2030-05-01T12:00:00.000Z',
      v: 1,
    }
    expect(problem(exchange({ ...sent, ...json({ instance }) }))).toContain('If-Match')
  })
})
