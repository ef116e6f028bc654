import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { account, createAccountRequest } from '../../shared/schemas/account.ts'
import { charge } from '../../shared/schemas/charge.ts'
import { checkoutRecord } from '../../shared/schemas/checkout-record.ts'
import { submitResponse } from '../../shared/schemas/checkout.ts'
import { contract } from '../../shared/schemas/contract.ts'
import { eventResponse } from '../../shared/schemas/event.ts'
import { branding, theme, updateInstanceRequest } from '../../shared/schemas/instance.ts'
import { createDeepLinkRequest, deepLink } from '../../shared/schemas/deep-link.ts'
import { createPaymentLinkRequest, paymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { createLegalEntityRequest, legalEntity } from '../../shared/schemas/legal-entity.ts'
import {
  createLegalEntityRouteRequest,
  legalEntityRoute,
} from '../../shared/schemas/legal-entity-route.ts'
import { paymentLink, paymentLinkStatus } from '../../shared/schemas/payment-link-record.ts'
import { paymentMethod } from '../../shared/schemas/payment-method.ts'
import { createPaymentRequest } from '../../shared/schemas/payment-request.ts'
import { payment } from '../../shared/schemas/payment.ts'
import { refund } from '../../shared/schemas/refund.ts'
import { reversal } from '../../shared/schemas/reversal.ts'
import { createSecretKeyRequest } from '../../shared/schemas/secret-key.ts'
import { ATTENTION_KINDS } from '../../shared/schemas/attention.ts'
import { TIMELINE_TITLES } from '../../shared/schemas/timeline.ts'
import { voided } from '../../shared/schemas/void.ts'
import { delivery, instanceWebhook } from '../../shared/schemas/webhook.ts'
import { EVENT_TYPES } from '../../server/events/event-types.ts'
import { ERROR_STATUS } from '../../server/errors.ts'
import { blocksOf, pageNames, readPage, rowsOf } from './markdown.ts'

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string; description: string }[] } }>
}

const DOCUMENT = JSON.parse(readPage('openapi.json')) as Document

/** The tables of the documentation name everything that the code has, and nothing else. */

const namesOf = (page: string, title: string) => [...rowsOf(page, title).keys()].toSorted()
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted()

describe('a table of members names each member of its record:', () => {
  it.each<[string, string, string, z.ZodObject]>([
    ['the options of a link', 'payment-links.md', 'Option', paymentLinkOptions],
    [
      'the settings of an instance',
      'instances.md',
      'Setting',
      updateInstanceRequest.shape.instance,
    ],
    ['a theme', 'instances.md', 'Token', theme],
    ['a branding', 'instances.md', 'Member', branding],
    ['a checkout', 'checkouts.md', 'Member', checkoutRecord],
    ['milestones', 'checkouts.md', '`milestones`', checkoutRecord.shape.milestones],
    ['a payment method', 'payment-methods.md', 'Member', paymentMethod],
    ['what is written of an account', 'accounts.md', 'Member', createAccountRequest.shape.account],
    [
      'what is written of a link',
      'payment-links.md',
      'Member',
      createPaymentLinkRequest.shape.payment_link,
    ],
    [
      'what is written of a deep link',
      'deep-links.md',
      'Member',
      createDeepLinkRequest.shape.deep_link,
    ],
    [
      'what is written of a legal entity',
      'legal-entities.md',
      'Member',
      createLegalEntityRequest.shape.legal_entity,
    ],
    [
      'what is written of a route',
      'legal-entities.md',
      'Route',
      createLegalEntityRouteRequest.shape.legal_entity_route,
    ],
    ['conditions of a route', 'legal-entities.md', '`when`', legalEntityRoute.shape.when],
    ['a request for a payment', 'payments.md', 'Member', createPaymentRequest.shape.payment],
    [
      'what is written of a secret key',
      'secret-keys.md',
      'Member',
      createSecretKeyRequest.shape.secret_key,
    ],
    ['the envelope of an event', 'events.md', 'Member', eventResponse.shape.event],
  ])('%s', (_what, page, title, schema) => {
    expect(namesOf(page, title)).toEqual(sorted(Object.keys(schema.shape)))
  })

  it.each(Object.entries(paymentLinkOptions.shape))(
    'with the longest text that the option %s may have',
    (name, schema) => {
      const limits = [...JSON.stringify(z.toJSONSchema(schema)).matchAll(/"maxLength":(\d+)/g)]
      const description = rowsOf('payment-links.md', 'Option').get(name)?.at(-1) ?? ''
      // An address has limits of its own, which only its errors tell; an empty text needs none.
      const undocumented = name === 'account' ? ['32'] : ['0']
      const shown = limits.filter(([, limit = '']) => !undocumented.includes(limit))
      for (const [, limit] of shown) expect(description).toMatch(new RegExp(`\\b${limit}\\b`))
    },
  )
})

describe('a table of values names each value:', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['states of a link', 'payment-links.md', '`status`', paymentLinkStatus.options],
    ['states of a deep link', 'deep-links.md', '`status`', deepLink.shape.status.options],
    ['states of an account', 'accounts.md', '`status`', account.shape.status.options],
    ['states of a checkout', 'checkouts.md', '`status`', checkoutRecord.shape.status.options],
    ['states of a payment', 'payments.md', '`status`', payment.shape.status.options],
    ['states of a reversal', 'payments.md', 'Reversal', reversal.shape.status.options],
    ['states of a charge', 'charges.md', '`status`', charge.shape.status.options],
    [
      'reasons of a failed delivery',
      'webhooks.md',
      '`error`',
      delivery.shape.error.unwrap().options,
    ],
    ['outcomes of a submit', 'errors.md', '`outcome`', submitResponse.shape.outcome.options],
    ['types of error', 'errors.md', '`type`', [...Object.keys(ERROR_STATUS), 'INTERNAL']],
    ['codes of error', 'errors.md', '`code`', ['UNAUTHORIZED', ...codesOfStrings()]],
    ['codes of the wording', 'strings.md', 'Code', codesOfStrings()],
    ['types of event', 'events.md', 'Type', EVENT_TYPES],
    ['kinds of attention', 'attention.md', 'Kind', ATTENTION_KINDS],
    ['titles of a timeline', 'timeline.md', '`title_id`', TIMELINE_TITLES],
  ])('%s', (_what, page, title, values) => {
    expect(namesOf(page, title)).toEqual(sorted(values))
  })

  it.each(Object.entries({ ...ERROR_STATUS, INTERNAL: 500 }))(
    'the error %s with its status',
    (type, status) => {
      expect(rowsOf('errors.md', '`type`').get(type)?.[1]).toBe(String(status))
    },
  )
})

describe('the table of lists', () => {
  const lists = Object.entries(DOCUMENT.paths).flatMap(([path, { get }]) => {
    const order = get?.parameters?.find(({ name }) => name === 'order')
    return order ? [[path, order.description.split('Fields: ')[1]] as const] : []
  })
  const rows = rowsOf('criteria.md', 'List')

  it('names every list', () => {
    expect([...rows.keys()].toSorted()).toEqual(lists.map(([path]) => path).toSorted())
  })

  it.each(lists)('names the fields of %s', (path, fields) => {
    expect(`${rows.get(path)?.at(-1)}.`).toBe(fields)
  })
})

/** Every code that the source of the server refuses wording with. */
function codesOfStrings(): string[] {
  const root = new URL('../../server/', import.meta.url)
  const files = ['strings', 'http'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8')),
  )
  return [...new Set(files.join('').match(/SVC-\d{4}/g))]
}

/** What `data` of an event holds, by the name it holds it under. */
const RECORDS: Record<string, z.ZodType> = {
  account,
  capture: payment,
  charge,
  checkout: checkoutRecord,
  contract,
  deep_link: deepLink,
  instance_webhook: instanceWebhook,
  legal_entity: legalEntity,
  legal_entity_routes: z.array(legalEntityRoute),
  payment,
  payment_link: paymentLink,
  payment_method: paymentMethod,
  refund,
  reversal,
  strings: z.strictObject({
    language: z.string(),
    branding: z.string().nullable(),
    ids: z.array(z.string()),
  }),
  void: voided,
}

describe('an example of an event', () => {
  const examples = pageNames().flatMap((page) =>
    blocksOf(readPage(page))
      .filter(({ info }) => info === 'event')
      .map(({ text, line }) => ({ page, line, text })),
  )

  it.each(examples)('$page:$line has the form of the envelope and of its record', ({ text }) => {
    const { event } = eventResponse.parse(JSON.parse(text))
    expect(EVENT_TYPES).toContain(event.type)
    const [[name, record] = ['', undefined], ...more] = Object.entries(event.data)
    expect(more).toEqual([])
    expect(RECORDS[name]?.safeParse(record).error).toBeUndefined()
  })
})

describe('the index', () => {
  it('names every page of the documentation', () => {
    const index = readPage('README.md')
    for (const name of pageNames().filter((page) => page !== 'README.md'))
      expect(index, name).toContain(`](${name})`)
  })
})
