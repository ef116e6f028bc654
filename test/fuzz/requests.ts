import fc from 'fast-check'
import type { Route } from '../../server/http/router.ts'
import type { Call } from '../app.ts'
import { mutated } from './mutate.ts'
import { arbitraryOf } from './arbitrary-values.ts'

/** Requests of a route, built from its schemas: valid ones and mutated ones. */

export interface Request {
  path: string
  call: Call
  /** The texts in it, as they were before they were written down. */
  said: string[]
}

const CRITERIA = [
  'amount>10',
  'crm_key=payer',
  "name~='%'",
  'created>=2030-01-01',
  'id!=null',
  'status=OPEN,created<=now',
  '=',
  'a=b=c',
  '(',
  'amount>1e400',
  "id='",
]

/** Texts that a request can carry outside of its body. */
function texts(words: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    fc.string({ maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed()),
    fc.constantFrom('', '\0', '-1', '5001', '0', '1e9', 'x'.repeat(3000), ...CRITERIA),
  )
}

export function requestsOf(
  route: Route,
  { words, bodies }: { words: readonly string[]; bodies: readonly unknown[] },
): fc.Arbitrary<Request> {
  const names = route.path.match(/:\w+/g) ?? []
  const samples = texts(words)
  // One dot or two are a step, which an address loses before it is sent.
  const segment = samples.filter((text) => text !== '.' && text !== '..')
  return fc
    .record({
      names: fc.tuple(...names.map(() => segment)),
      query: queries(route, samples),
      sent: bodiesOf(route, words, bodies),
      more: headers,
    })
    .map(({ names: values, query, sent: { said: text, ...sent }, more }) => {
      const left = [...values]
      const path = route.path.replace(/:\w+/g, () => encodeURIComponent(left.shift() as string))
      const pairs = query.map(
        ([name, value]) => `${name}=${value.broken ?? encodeURIComponent(value.text)}`,
      )
      return {
        path: pairs.length > 0 ? `${path}?${pairs.join('&')}` : path,
        call: {
          method: route.method.toUpperCase(),
          ...sent,
          headers: { ...sent.headers, ...more },
        },
        said: [...values, ...query.map(([, value]) => value.text), text ?? ''],
      }
    })
}

/** Declared and unknown parameters, some repeated, some malformed. */
function queries(route: Route, said: fc.Arbitrary<string>) {
  const declared = Object.keys(route.query?.shape ?? {})
  const broken = fc.constantFrom('%', '%E0%A4%A', '%00', '+', '&&')
  return fc.array(
    fc.tuple(
      fc.constantFrom(...declared, 'limit', '__proto__'),
      fc.oneof(
        said.map((text) => ({ text, broken: undefined })),
        broken.map((each) => ({ text: '', broken: each })),
      ),
    ),
    { maxLength: 3 },
  )
}

function bodiesOf(
  { body }: Route,
  words: readonly string[],
  known: readonly unknown[],
): fc.Arbitrary<Call & { said?: string }> {
  if (!body) return fc.constant({})
  const right = fc.oneof(arbitraryOf(body, words), fc.constantFrom(...known, {}))
  const json = fc.oneof(right, mutated(right)).map(asJson)
  const broken = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    json.map((text) => text.slice(0, -1)),
    fc.constantFrom(
      '',
      'null',
      '[]',
      '"x"',
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1}}',
      '['.repeat(9000),
    ),
  )
  return fc.oneof(
    { weight: 8, arbitrary: json.map((raw) => ({ ...call(raw), said: raw })) },
    { weight: 1, arbitrary: json.map((raw) => ({ ...call(inPieces(raw)), said: raw })) },
    { weight: 1, arbitrary: broken.map((raw) => call(raw)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(json, fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'x'))
        .map(([raw, type]) => ({ ...call(raw, type), said: raw })),
    },
  )
}

/** What cannot be said in JSON, such as a member left out at the top, is said as nothing. */
function asJson(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function call(raw: NonNullable<Call['raw']>, type = 'application/json'): Call {
  return { raw, headers: { 'content-type': type } }
}

/** A body without Content-Length. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
      controller.close()
    },
  })
}

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'idempotency-key': fc.constantFrom('once', '"quoted"', '', 'x'.repeat(300), 'a b'),
    'if-match': fc.constantFrom('"1"', '*', 'W/"2"', '1, 2', 'x'),
    'accept-language': fc.constantFrom('ar', 'xx-YY;q=2', '*', ';;;', 'x'.repeat(2000)),
  },
  { requiredKeys: [] },
)
