import fc from 'fast-check'

/** What goes wrong with requests: by mistake, by a bad library, and on purpose. */

const deep = (depth: number): unknown => (depth === 0 ? 0 : [deep(depth - 1)])

/** What stands where something else should. */
const ODD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    null,
    true,
    0,
    -0,
    -1,
    2 ** 53,
    1e-7,
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    'null',
    '\0',
    'a\0b',
    '\uD800',
    '\u202E\u2066',
    '%00',
    "' or 1=1 --",
    '{{amount}}',
    '__proto__',
    '../../etc/passwd',
    '4242424242424242',
    '9'.repeat(400),
    'é'.repeat(20_000),
    [],
    {},
    [[]],
    deep(40),
    { toString: 1 },
    { constructor: { prototype: {} } },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
)

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'id', 'instance_id', 'v', '']

type Change = (value: unknown, where: number, odd: unknown) => unknown

/** A JSON value with one thing wrong in it. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, fc.nat(), ODD, fc.constantFrom<Change[]>(replace, leaveOut, add))
    .map(([value, where, odd, change]) => change(value, where, odd))
}

/** Something odd in the place of one value, at any depth. */
function replace(value: unknown, where: number, odd: unknown): unknown {
  const size = sizeOf(value)
  return within(value, where % size, () => odd)
}

function leaveOut(value: unknown, where: number): unknown {
  return within(value, where % sizeOf(value), () => undefined)
}

/** One more member, in any of the objects. */
function add(value: unknown, where: number, odd: unknown): unknown {
  return within(value, where % sizeOf(value), (found) => {
    if (typeof found !== 'object' || found === null) return odd
    if (Array.isArray(found)) return [...(found as unknown[]), odd]
    const name = NAMES[where % NAMES.length] as string
    const more = { ...found }
    // Assigned, one of the names would change the object's prototype and not stand in the text.
    Object.defineProperty(more, name, { value: odd, enumerable: true })
    return more
  })
}

/** How many values there are in a value, itself counted. */
function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 1)
    : 1
}

/** The value with its n-th inner value changed, counted from the outside in. */
function within(value: unknown, n: number, change: (found: unknown) => unknown): unknown {
  if (n === 0) return change(value)
  let at = n - 1
  const entries: [string, unknown][] = []
  for (const [name, each] of Object.entries(value as object)) {
    const size = sizeOf(each)
    entries.push([name, at >= 0 && at < size ? within(each, at, change) : each])
    at -= size
  }
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}
