import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { submitRequest } from '../../shared/schemas/checkout-request.ts'
import {
  createPaymentLinkRequest,
  updatePaymentLinkRequest,
} from '../../shared/schemas/payment-link.ts'
import { validationMessage } from './validation-message.ts'

function sentence(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value)
  if (!error) throw new Error(`nothing is wrong with ${JSON.stringify(value)}`)
  return validationMessage(error)
}
const aboutLink = (payment_link: unknown) => sentence(createPaymentLinkRequest, { payment_link })
const aboutOptions = (options: unknown) => aboutLink({ options })

describe('the body as a whole', () => {
  it.each([
    [undefined, 'body is required'],
    [null, 'body must not be null'],
    [[], 'body must be an object'],
    ['text', 'body must be an object'],
    [{}, 'payment_link is required'],
    [{ payment_link: null }, 'payment_link must not be null'],
    [{ payment_link: [] }, 'payment_link must be an object'],
  ])('%j: %s', (body, expected) => {
    expect(sentence(createPaymentLinkRequest, body)).toBe(expected)
  })
})

describe('an unknown field', () => {
  it.each([
    [{ payment_link: {}, mod: 'PATCH' }, 'Unknown field mod'],
    [{ payment_link: { option: {} } }, 'Unknown field payment_link.option'],
    [
      { payment_link: { options: { skip_reciept: true } } },
      'Unknown field payment_link.options.skip_reciept',
    ],
    [
      { payment_link: { options: { account: { emial: 'ada@example.com' } } } },
      'Unknown field payment_link.options.account.emial',
    ],
    [
      { payment_link: { options: { account: { address: { zip: '1' } } } } },
      'Unknown field payment_link.options.account.address.zip',
    ],
  ])('of %j is reported with its path', (body, expected) => {
    expect(sentence(createPaymentLinkRequest, body)).toBe(expected)
  })

  it('is the first of several', () => {
    expect(aboutLink({ first: 1, second: 2 })).toBe('Unknown field payment_link.first')
  })

  it('is also reported with the name __proto__', () => {
    const options = JSON.parse('{"__proto__":{"name":"x"}}') as unknown
    expect(aboutOptions(options)).toBe('Unknown field payment_link.options.__proto__')
  })
})

describe('a member of a link', () => {
  it.each([
    [{ amount: 10.5 }, 'amount must be a string'],
    [{ amount: '0.00' }, 'amount must be more than zero'],
    [{ alt_key: '' }, 'alt_key must not be empty'],
    [{ alt_key: 'acc_1_a' }, 'alt_key must not have the form of an id'],
    [{ name: 'x'.repeat(256) }, 'name must be at most 255 characters'],
    [{ save_card: 'true' }, 'save_card must be true or false'],
    [{ source: 'MOTO' }, 'source must be ECOMMERCE'],
    [{ currency: 'eur' }, 'currency must be three capital letters'],
    [{ currency: 'XXX' }, 'currency is not an ISO 4217 currency'],
    [{ timezone: '+01:00' }, 'timezone must be an IANA time zone name such as Europe/Paris'],
  ])('%j: %s', (options, expected) => {
    expect(aboutOptions(options)).toBe(`payment_link.options.${expected}`)
  })

  it('is also reported outside its options', () => {
    expect(aboutLink({ expires: 5 })).toBe('payment_link.expires must be a string')
    expect(aboutLink({ expires: '2030' })).toContain('payment_link.expires must be an RFC 3339')
    expect(aboutLink({ state: 5 })).toBe(
      'payment_link.state must be an object, an array or a string',
    )
    expect(sentence(updatePaymentLinkRequest, { mode: 'patch', payment_link: {} })).toBe(
      'mode must be PATCH or REPLACE',
    )
  })

  it('is the first invalid one', () => {
    expect(aboutOptions({ currency: 'eur', amount: 5 })).toBe(
      'payment_link.options.amount must be a string',
    )
  })
})

describe('a member with more than one shape', () => {
  it.each([
    ['x', ' must be an account id such as acc_1699000000000_k3j9'],
    [5, ' must be a string or an object'],
    [[], ' must be a string or an object'],
    [{ email: 'ada' }, '.email must be an email address'],
    [{ first_name: 5 }, '.first_name must be a string'],
    [{ address: { line6: 5 } }, '.address.line6 must be a string'],
    [
      { address: { country: 'US', line6: 'DE-BY' } },
      '.address.line6 must lie in the country of the address',
    ],
  ])('is explained by the closest shape to %j', (account, expected) => {
    expect(aboutOptions({ account })).toBe(`payment_link.options.account${expected}`)
  })

  it('is explained inside an array of unions', () => {
    const item = z.union([z.string(), z.strictObject({ id: z.int() })])
    const schema = z.strictObject({ list: z.array(item) })
    expect(sentence(schema, { list: ['a', { id: 1.5 }] })).toBe('list.1.id must be an integer')
    expect(sentence(schema, { list: [{ id: 1, di: 1 }] })).toBe('Unknown field list.0.di')
  })
})

describe('arrays', () => {
  const schema = z.strictObject({
    parts: z
      .array(z.strictObject({ charge: z.string() }))
      .min(1)
      .max(2),
  })
  const part = { charge: 'a' }

  it.each([
    [{ parts: 'a' }, 'parts must be an array'],
    [{ parts: {} }, 'parts must be an array'],
    [{ parts: [] }, 'parts must have at least 1 member'],
    [{ parts: [part, part, part] }, 'parts must have at most 2 members'],
    [{ parts: [part, {}] }, 'parts.1.charge is required'],
    [{ parts: [part, { charge: 'a', x: 1 }] }, 'Unknown field parts.1.x'],
    [{ parts: [null] }, 'parts.0 must not be null'],
  ])('%j: %s', (body, expected) => {
    expect(sentence(schema, body)).toBe(expected)
  })
})

describe('rules that all schemas share', () => {
  it.each([
    [z.string().min(8), 'x', 'must be at least 8 characters'],
    [z.string().min(1), '', 'must not be empty'],
    [z.number().min(3), 2, 'must be at least 3'],
    [z.number().gt(3), 3, 'must be more than 3'],
    [z.number().max(3), 4, 'must be at most 3'],
    [z.int(), 1.5, 'must be an integer'],
    [z.number(), '1', 'must be a number'],
    [z.record(z.string(), z.string()), [], 'must be an object'],
    [z.literal('A'), 'B', 'must be A'],
    [z.iso.date(), 'x', 'has a form that is not allowed here'],
  ])('have the same message (%#)', (schema, value, expected) => {
    expect(sentence(z.strictObject({ m: schema }), { m: value })).toBe(`m ${expected}`)
  })

  it('never repeat the input', () => {
    const sent = { attempt_key: '4242424242424242', options_v: 1, payment_method: {} }
    expect(sentence(submitRequest, sent)).toBe('attempt_key must be a UUID')
  })
})
