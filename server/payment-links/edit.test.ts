import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaymentLinkChange } from '../../shared/schemas/payment-link.ts'
import type { LinkContent } from './content.ts'
import { changedMembers, editLink } from './edit.ts'

const MODES = ['PATCH', 'REPLACE'] as const
const STORED: LinkContent = {
  expires: '2030-06-01T00:00:00.000Z',
  options: { name: 'Rent', amount: '10.00' },
  state: { j: 2 },
}
const json = (text: string) => JSON.parse(text) as Record<string, unknown>

/** Stored options, change, result of REPLACE, result of PATCH. */
const OPTIONS: [unknown, unknown, unknown, unknown][] = [
  [{ name: 'a' }, undefined, { name: 'a' }, { name: 'a' }],
  [{ name: 'a', channel: 'b' }, { name: 'x' }, { name: 'x' }, { name: 'x', channel: 'b' }],
  [{ name: 'a' }, {}, {}, { name: 'a' }],
  [{ name: 'a' }, null, {}, {}],
  [{ name: 'a', channel: 'b' }, { channel: null }, {}, { name: 'a' }],
  [
    { account: { email: 'y@example.com', phone: '1' }, name: 'a' },
    { account: { email: 'x@example.com' } },
    { account: { email: 'x@example.com' } },
    { account: { email: 'x@example.com', phone: '1' }, name: 'a' },
  ],
  [
    { account: { email: 'y@example.com', phone: '1' } },
    { account: { phone: null } },
    { account: {} },
    { account: { email: 'y@example.com' } },
  ],
  [
    { account: { phone: '1' } },
    { account: 'acc_1_a' },
    { account: 'acc_1_a' },
    { account: 'acc_1_a' },
  ],
  [
    { account: 'acc_1_a' },
    { account: { phone: '1' } },
    { account: { phone: '1' } },
    { account: { phone: '1' } },
  ],
  [{ account: { phone: '1' }, name: 'a' }, { account: null }, {}, { name: 'a' }],
]

/** Stored state, change, result of REPLACE, result of PATCH. */
const STATES: [unknown, unknown, unknown, unknown][] = [
  [{ j: 2 }, undefined, { j: 2 }, { j: 2 }],
  [{ j: 2 }, { k: 1 }, { k: 1 }, { j: 2, k: 1 }],
  [{ j: 2 }, {}, {}, { j: 2 }],
  [{ j: 2 }, [1], [1], [1]],
  [{ j: 2 }, 'text', 'text', 'text'],
  [{ j: 2 }, null, null, null],
  [[1, 2], { k: 1 }, { k: 1 }, { k: 1 }],
  [[1, 2], [3], [3], [3]],
  ['text', { k: 1 }, { k: 1 }, { k: 1 }],
  [null, { k: 1 }, { k: 1 }, { k: 1 }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3 } }, { a: { b: 3, c: 2 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }, { a: [3] }],
  [{ a: 1, b: 2 }, { a: null }, { a: null }, { b: 2 }],
  [{ a: { b: 1 } }, { a: 'x' }, { a: 'x' }, { a: 'x' }],
  // Null removes a member that is not stored, too.
  [[1], { a: null, b: { c: null } }, { a: null, b: { c: null } }, { b: {} }],
]

describe.each([
  ['options', OPTIONS],
  ['state', STATES],
] as const)('changing %s', (member, cases) => {
  it.each(cases)('of %j by %j gives %j in REPLACE, %j in PATCH', (stored, given, whole, part) => {
    const before: LinkContent = { ...STORED, [member]: stored }
    const change = (given === undefined ? {} : { [member]: given }) as PaymentLinkChange
    expect(editLink(before, change, 'REPLACE')).toEqual({ ...before, [member]: whole })
    expect(editLink(before, change, 'PATCH')).toEqual({ ...before, [member]: part })
  })
})

describe.each(MODES)('changing the expiry by %s', (mode) => {
  it('leaves options and state as they are', () => {
    const change = { expires: '2031-01-01T02:00:00+02:00' }
    expect(editLink(STORED, change, mode)).toEqual({
      ...STORED,
      expires: '2031-01-01T00:00:00.000Z',
    })
  })

  it('of null means never', () => {
    expect(editLink(STORED, { expires: null }, mode)).toEqual({ ...STORED, expires: null })
  })
})

// Arbitrary JSON, with names that are special in JavaScript.
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString', '0', ''),
  fc.string({ maxLength: 3 }),
)
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 1, 'x', ''),
    fc.array(tie('any'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(name, tie('any')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
})).any
const state = value.filter((any) => typeof any !== 'number' && typeof any !== 'boolean')
const option = {
  name: fc.constantFrom('a', 'b', null),
  channel: fc.constantFrom('a', 'b', null),
  save_card: fc.constantFrom(true, false, null),
  account: fc.oneof(
    fc.constantFrom('acc_1_a', null),
    fc.record(
      { email: fc.constantFrom('a', null), phone: fc.constantFrom('1', null) },
      { requiredKeys: [] },
    ),
  ),
}
const options = fc.record(option, { requiredKeys: [] })
const change = fc.record(
  {
    expires: fc.constantFrom('2031-01-01T00:00:00Z', '2032-01-01T00:00:00+01:00', null),
    options: fc.option(options),
    state,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PaymentLinkChange>
const stored = change.map((given) =>
  editLink({ expires: null, options: {}, state: null }, given, 'REPLACE'),
)
const mode = fc.constantFrom(...MODES)

describe('for any link', () => {
  it('an empty change changes nothing', () => {
    fc.assert(
      fc.property(stored, mode, (link, how) => {
        expect(editLink(link, {}, how)).toEqual(link)
        expect(changedMembers(link, editLink(link, {}, how))).toEqual([])
      }),
    )
  })

  it('a change is idempotent', () => {
    fc.assert(
      fc.property(stored, change, mode, (link, given, how) => {
        const once = editLink(link, given, how)
        expect(editLink(once, given, how)).toEqual(once)
        expect(changedMembers(once, editLink(once, given, how))).toEqual([])
      }),
    )
  })

  it('REPLACE drops the options that it does not name, and PATCH keeps them', () => {
    fc.assert(
      fc.property(stored, options, (link, given) => {
        const sent = { options: given } as PaymentLinkChange
        const replaced = Object.keys(editLink(link, sent, 'REPLACE').options)
        const patched = Object.keys(editLink(link, sent, 'PATCH').options)
        const idOrKey = Object.keys(given)
        expect(replaced.filter((member) => !idOrKey.includes(member))).toEqual([])
        const others = Object.keys(link.options).filter((member) => !idOrKey.includes(member))
        expect(patched).toEqual(expect.arrayContaining(others))
      }),
    )
  })

  it('null is never stored as an option', () => {
    fc.assert(
      fc.property(stored, change, mode, (link, given, how) => {
        expect(JSON.stringify(editLink(link, given, how).options)).not.toContain('null')
      }),
    )
  })

  it('REPLACE stores the state exactly as sent', () => {
    fc.assert(
      fc.property(stored, state, (link, given) => {
        const after = editLink(link, { state: given } as PaymentLinkChange, 'REPLACE')
        expect(JSON.stringify(after.state)).toBe(JSON.stringify(given))
      }),
    )
  })

  it('neither the stored link nor the change is mutated', () => {
    fc.assert(
      fc.property(stored, change, mode, (link, given, how) => {
        const before = JSON.stringify([link, given])
        editLink(link, given, how)
        expect(JSON.stringify([link, given])).toBe(before)
      }),
    )
  })
})

describe('a member called __proto__', () => {
  it.each(MODES)('is data like any other in %s', (how) => {
    const params = json('{"state":{"__proto__":{"admin":true},"a":1}}')
    const { state: after } = editLink({ ...STORED, state: {} }, params, how)
    expect(JSON.stringify(after)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype)
    expect((after as { admin?: boolean }).admin).toBeUndefined()
  })

  it('merges with a stored one and pollutes no prototype', () => {
    const before = { ...STORED, state: json('{"__proto__":{"x":1},"a":{"__proto__":{"y":1}}}') }
    const params = json('{"state":{"__proto__":{"admin":true},"a":{"__proto__":{"z":1}}}}')
    const { state: after } = editLink(before, params, 'PATCH')
    expect(JSON.stringify(after)).toBe(
      '{"__proto__":{"x":1,"admin":true},"a":{"__proto__":{"y":1,"z":1}}}',
    )
    expect('admin' in {}).toBe(false)
  })

  it('can be removed', () => {
    const before = { ...STORED, state: json('{"__proto__":{"x":1},"a":1}') }
    const { state: after } = editLink(before, json('{"state":{"__proto__":null}}'), 'PATCH')
    expect(JSON.stringify(after)).toBe('{"a":1}')
  })
})

describe('what counts as a change', () => {
  it('names the members that differ', () => {
    const after = { ...STORED, expires: null, state: { j: 3 } }
    expect(changedMembers(STORED, after)).toEqual(['expires', 'state'])
  })

  it('ignores the order of members but not of lists', () => {
    const one = { ...STORED, options: { name: 'a', channel: 'b' }, state: [1, 2] }
    const two = { ...STORED, options: { channel: 'b', name: 'a' }, state: [2, 1] }
    expect(changedMembers(one, two)).toEqual(['state'])
  })
})
