import type { Context } from 'hono'
import { parse as parseCookies } from 'hono/utils/cookie'
import { describe, expect, it } from 'vitest'
import { containsCardNumber, holdsCardNumberWithin } from '../shared/rules/card-in-text.ts'
import { looksLikeEmail } from '../shared/rules/email.ts'
import { originAllowed } from '../shared/rules/embed-origin.ts'
import { foldKey } from '../shared/rules/fold-key.ts'
import { looksLikeId } from '../shared/rules/ids.ts'
import { parseAmount } from '../shared/rules/money.ts'
import { redirectTargetProblem } from '../shared/rules/redirect-target.ts'
import { isTimeZone, parseInstant } from '../shared/rules/time.ts'
import { readTypedAmount } from '../shared/rules/typed-amount.ts'
import { translate } from '../shared/rules/wording.ts'
import { parseOrder } from '../server/criteria/order.ts'
import { parseCriteria } from '../server/criteria/parse.ts'
import { parseValue } from '../server/criteria/values.ts'
import { readJson } from '../server/http/body.ts'
import { resolveClient } from '../server/http/client-ip.ts'
import { acceptedEncoding } from '../server/http/compress.ts'
import { readExpand } from '../server/http/expand.ts'
import { readIfMatch } from '../server/http/if-match.ts'
import { parseIdempotencyKey } from '../server/http/idempotency-key.ts'
import type { AppContext } from '../server/http/router.ts'
import { parseQueryString } from '../server/oauth/request-parameters.ts'
import { redirectUriError } from '../server/oauth/redirect-uri.ts'
import { redact } from '../server/observe/redact.ts'
import { stringTextError } from '../server/strings/catalog.ts'
import { chooseLanguage } from '../server/strings/languages.ts'
import { parseReturnTo } from '../server/users/return-to.ts'
import { repetitions } from './depth.ts'
import { growsLinearly } from './linear-time.ts'

/** A context of which nothing is read but one header. */
const withHeader = (value: string) =>
  ({
    req: { header: () => value, path: '/', method: 'POST' },
    get: () => ({ id: 'x' }),
  }) as unknown as AppContext

const json = (text: string) => {
  const c = { req: { header: () => 'application/json' } } as unknown as Context
  return readJson(c, Buffer.from(text), { keysMax: 1_000_000 })
}
const field = (type: 'amount' | 'date') =>
  ({ type, decimals: 4 }) as unknown as Parameters<typeof parseValue>[1]

/** Everything that is made of what a stranger or a merchant sends, before it is known to be good. */
const READERS: Record<string, (text: string) => unknown> = {
  'a JSON body': json,
  'a number in JSON': (text) => json(`{"a":${text}}`),
  'a text in JSON': (text) => json(`["${text}"]`),
  criteria: parseCriteria,
  'an amount in criteria': (text) => parseValue('a', field('amount'), text),
  'a date in criteria': (text) => parseValue('a', field('date'), text),
  order: parseOrder,
  expand: (text) => readExpand(text, 'a', { a: { members: { a: 'a' } } }),
  'Accept-Language': (text) => chooseLanguage({ requested: text, accepted: text }, ['fr']),
  'Accept-Encoding': acceptedEncoding,
  'X-Forwarded-For': (text) =>
    resolveClient({ peer: '10.0.0.1', header: () => text }, { networks: ['10.0.0.0/8'] }),
  'If-Match': (text) => readIfMatch(withHeader(text)),
  'Idempotency-Key': (text) => parseIdempotencyKey({ keyedDigest: String }, withHeader(text)),
  Cookie: (text) => parseCookies(text),
  'the query of an authorisation': parseQueryString,
  'a way back after signing in': parseReturnTo,
  'a redirect address of a platform': (text) =>
    redirectUriError(`https://a.example/${text}`, false),
  'a redirect address of a link': (text) =>
    redirectTargetProblem(`https://a.example/${text}`, false),
  'an origin that embeds': (text) => originAllowed(`https://${text}`, ['https://*.a.example']),
  'an amount': (text) => parseAmount(text, 2),
  'an amount that is typed': (text) =>
    readTypedAmount(text, {
      style: { decimal: ',', group: '.' },
      currency: 'EUR',
      digits: 2,
      languages: ['de', 'fr'],
    }),
  'a date': parseInstant,
  'a time zone': isTimeZone,
  'an e-mail address': looksLikeEmail,
  'a key': foldKey,
  'an id': looksLikeId,
  'a text that may hold a card number': containsCardNumber,
  'data that may hold a card number': (text) => holdsCardNumberWithin([{ [text]: text }]),
  'a wording': (text) => stringTextError('checkout.pay', text),
  'a wording that is filled in': (text) => translate({ 'a.b': text }, 'en', 'a.b', { amount: 'x' }),
  'a line of the log': redact,
}

const PUMPS = [
  '0', '1', '9', 'a', 'A', 'T', ' ', '\t', '\n', '"', "'", '\\', '\\\\', '\\"', '/', ',', ';', ':', '.', '@', '-',
  '_', '!', '=', '%', '%41', '&', '{', '}', '[', ']', '[]', '{}', '[0,', '{"a":', '"a",', '1e1,', 'null,', '0 ',
  '4242 ', '4242 4242 4242 4241 ', '4242-', 'AB12 ', 'a.', '.a', 'a@', 'a=1,', 'a=1;', 'a1,', 'a:desc,', 'en;q=0.1,',
  '10.0.0.1,', '[::1]:1,', 'a=b; ', '{a}', '{a', 'sk_', 'at_1_', 'basic ', '\\n', 'é', '٠', '\u0301', '😀', 'ß', '../server/',
] // prettier-ignore

const LENGTH = repetitions(500, 1000)

const BEGINNINGS = ['', '1', 'a=']

describe('in at most linear time is read', () => {
  it.each(Object.entries(READERS))('%s', (_what, read) => {
    const slow = PUMPS.flatMap((pump) =>
      BEGINNINGS.filter(
        (beginning) =>
          !growsLinearly((length) => {
            const text = beginning + pump.repeat(Math.ceil(length / pump.length))
            return () => refusedOr(() => read(text))
          }, LENGTH),
      ).map((beginning) => JSON.stringify(beginning + pump)),
    )
    expect(slow).toEqual([])
  })
})

/** What is refused was read as well. */
function refusedOr(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

it('what grows with the square of its input is noticed', () => {
  const quadratic = (text: string) => text.replace(/0+$/, '')
  const work = (length: number) => {
    const text = `${'0'.repeat(length)}1`
    return () => quadratic(text)
  }
  expect(growsLinearly(work, 350)).toBe(false)
})
