import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../server/events/event-types.ts'
import { startTestApp } from './app.ts'

const app = await startTestApp()
const { json: document } = await app.call('/openapi.json')

interface Parameter {
  name: string
  in: string
  description?: string
  schema: object
}

interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  security?: object[]
  parameters?: Parameter[]
  requestBody?: object
  responses: Record<string, object>
}

const METHODS = ['get', 'put', 'post', 'delete']
const operations = [document.paths, document.webhooks].flatMap((paths) =>
  Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ name: `${method} ${path}`, method, path, operation }] : []
    }),
  ),
)
const operationOf = (method: string, path: string) => document.paths[path][method] as Operation
const headersOf = ({ parameters = [] }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)

/** Every schema that stands below a value, with a path that leads to it. */
function schemasIn(value: unknown, at = ''): { at: string; schema: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries(value).flatMap(([name, each]) => schemasIn(each, `${at}/${name}`))
  return [{ at, schema: value as Record<string, unknown> }, ...below]
}

describe('the OpenAPI document', () => {
  it('is the one that the documentation carries (npm run openapi writes it)', async () => {
    const file = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')
    const { servers: _ours, ...written } = JSON.parse(file)
    const { servers: _theirs, ...served } = document
    expect(written).toEqual(served)
  })

  it('is version 3.1 and names the product and its licence', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Checkstand', version: '1.0.0', license: { identifier: 'Apache-2.0' } },
    })
  })

  it('has every operation on payment links that merchants use, with its statuses', () => {
    const prefix = '/payment_links'
    const statuses = (path: string, method: string) =>
      Object.keys(operationOf(method, path).responses)
    expect(statuses(prefix, 'post')).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '500']),
    )
    expect(statuses(`${prefix}/{id}`, 'get')).toEqual(
      expect.arrayContaining(['200', '401', '404', '500']),
    )
    expect(statuses(`${prefix}/{id}`, 'put')).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '500']),
    )
    expect(statuses(`${prefix}/{id}`, 'delete')).toEqual(
      expect.arrayContaining(['204', '401', '404', '500']),
    )
  })

  it('describes every option of a link, and allows no other in a request', () => {
    const options = document.components.schemas.PaymentLinkOptionsInput
    expect(Object.keys(options.properties).toSorted()).toEqual(
      [
        'account',
        'allow_description',
        'alt_key',
        'amount',
        'amount_max',
        'amount_min',
        'amount_presets',
        'channel',
        'charges',
        'currency',
        'default_alt_key',
        'default_amount',
        'default_description',
        'default_save_card',
        'description',
        'force_add',
        'hide_save_card_toggle',
        'legal_entity',
        'name',
        'page_intro',
        'page_pending_message',
        'page_success_message',
        'pending_url',
        'receipt_email',
        'recurring',
        'save_card',
        'quantity_max',
        'skip_receipt',
        'source',
        'success_url',
        'timezone',
        'unit_amount',
      ].toSorted(),
    )
    expect(options.additionalProperties).toBe(false)
  })

  it('allows answers to have members that later versions add', () => {
    const answers = operations.flatMap(({ operation }) => schemasIn(operation.responses))
    const { PaymentLink, PaymentLinkOptions, NestedError } = document.components.schemas
    const components = schemasIn([PaymentLink, PaymentLinkOptions, NestedError])
    const closed = [...answers, ...components].filter(
      ({ schema }) => schema['additionalProperties'] === false,
    )
    expect(closed).toEqual([])
  })

  it('refers to nothing that it does not contain, and contains nothing that it does not refer to', () => {
    const text = JSON.stringify(document)
    for (const kind of ['schemas', 'responses', 'headers']) {
      const pattern = new RegExp(`"\\$ref":"#/components/${kind}/([^"]+)"`, 'g')
      const referred = [...text.matchAll(pattern)].map(([, name]) => name)
      expect(new Set(Object.keys(document.components[kind]))).toEqual(new Set(referred))
    }
  })

  it('has patterns that regular expressions without look-around and flags understand', () => {
    const patterns = schemasIn(document).flatMap(({ at, schema }) =>
      typeof schema['pattern'] === 'string' ? [{ at, pattern: schema['pattern'] }] : [],
    )
    expect(patterns.length).toBeGreaterThan(10)
    for (const { at, pattern } of patterns) {
      expect(pattern, at).not.toMatch(/\(\?[=!<]|\\p|\/[a-z]*$/)
      expect(() => new RegExp(pattern, 'u'), at).not.toThrow()
    }
  })

  it('marks every nullable member as nullable', () => {
    const { PaymentLink, CreatePaymentLink } = document.components.schemas
    const { state, options } = CreatePaymentLink.properties.payment_link.properties
    expect(PaymentLink.properties.state.type).toContain('null')
    expect(state.type).toEqual(['object', 'array', 'string', 'null'])
    expect(options.anyOf).toEqual([
      { $ref: '#/components/schemas/PaymentLinkOptionsInput' },
      { type: 'null' },
    ])
    expect(schemasIn(document).filter(({ schema }) => Array.isArray(schema['allOf']))).toEqual([])
  })
})

describe('every operation', () => {
  it('has a name of its own, in small letters and beginning with a verb', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  it.each([
    ['post', '/payment_links', 'create_payment_link'],
    ['get', '/payment_links', 'list_payment_links'],
    ['get', '/payment_links/{id}', 'get_payment_link'],
    ['put', '/payment_links/{id}', 'update_payment_link'],
    ['delete', '/payment_links/{id}', 'archive_payment_link'],
    ['post', '/payments/{payment_id}/capture', 'capture_payment'],
    ['get', '/instance_webhooks/{id}/deliveries', 'list_instance_webhook_deliveries'],
  ])('%s %s is called %s', (method, path, name) => {
    expect(operationOf(method, path).operationId).toBe(name)
  })

  it.each(operations.map((each) => [each.name, each] as const))(
    '%s is described, with each of its parameters',
    (_, { path, operation }) => {
      expect(operation.summary).toMatch(/^[\w.][^.]*[^.]$|^[a-z_]+\.[a-z_]+$/)
      expect(operation.description).toMatch(/\.$/)
      expect(operation.security).toBeDefined()
      expect(document.tags.map(({ name }: { name: string }) => name)).toContain(operation.tags[0])
      for (const { name, description } of operation.parameters ?? []) {
        expect(description, name).toMatch(/\w/)
      }
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(new Set(inPath.map(({ name }) => name)), path).toEqual(new Set(names))
    },
  )

  it('names the headers that it reads', () => {
    expect(headersOf(operationOf('post', '/payments'))).toEqual(['Idempotency-Key'])
    expect(headersOf(operationOf('post', '/strings'))).toEqual(['Idempotency-Key'])
    expect(headersOf(operationOf('put', '/charges/{charge_id}'))).toEqual(['If-Match'])
    expect(headersOf(operationOf('put', '/refunds/{id}'))).toEqual([])
    expect(headersOf(operationOf('get', '/payments'))).toEqual([])
  })

  it('of a payer names the token of the session where it needs one', () => {
    const submit = operationOf('post', '/pay/checkouts/current/submit')
    expect(submit.security).toEqual([{ checkout: [] }])
    expect(operationOf('get', '/pay/{id}').security).toEqual([])
  })
})

describe('webhooks', () => {
  it('are described for every event type, and for no other', () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES])
  })

  it.each(EVENT_TYPES)('%s has its record and the headers of the signature', (type) => {
    const { post } = document.webhooks[type]
    const { $ref } = post.requestBody.content['application/json'].schema
    const { event } = document.components.schemas[$ref.split('/').at(-1)].properties
    expect(event.properties.type.const).toBe(type)
    expect(Object.keys(event.properties.data.properties)).toHaveLength(1)
    expect(headersOf(post)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  })
})
