import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQueryString, appendParameters } from './request-parameters.ts'

const URLS = [
  'https://platform.example/callback',
  'https://platform.example/callback?',
  'https://platform.example/callback?tenant=7',
  'https://platform.example/callback?tenant=7&',
  'https://platform.example/callback?q=a%20b+c&flag&x=%C3%A9',
]

describe('the address that answers a request', () => {
  it('keeps every byte of the registered one, and gives any bytes of state back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...URLS),
        fc.uint8Array({ maxLength: 40 }),
        fc.stringMatching(/^cd_[\w-]{43}$/),
        (url, bytes, code) => {
          const state = Buffer.from(bytes)
          const answer = appendParameters(url, { code, state })
          expect(answer.startsWith(url)).toBe(true)
          expect(answer.slice(url.length)).toMatch(/^[?&]?[\w.~%=&-]*$/)
          const read = parseQueryString(answer.slice(answer.indexOf('?') + 1))
          expect(read.state).toEqual(state)
          expect(read.fields.get('code')).toBe(code)
        },
      ),
    )
  })

  it('says to every reader what it says to us', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...URLS),
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        (url, text) => {
          const answer = new URL(appendParameters(url, { state: text }))
          expect(answer.searchParams.getAll('state')).toEqual([text.toWellFormed()])
          const raw = /[?&]state=([^&]*)/.exec(answer.href)?.[1] ?? ''
          expect(decodeURIComponent(raw)).toBe(text.toWellFormed())
        },
      ),
    )
  })

  it.each([
    ['https://p.example/cb', 'https://p.example/cb?error=access_denied&state=x%20y'],
    ['https://p.example/cb?', 'https://p.example/cb?error=access_denied&state=x%20y'],
    ['https://p.example/cb?a=1', 'https://p.example/cb?a=1&error=access_denied&state=x%20y'],
  ])('of %s is %s', (url, answer) => {
    expect(appendParameters(url, { error: 'access_denied', state: 'x y', code: undefined })).toBe(
      answer,
    )
  })
})

describe('a query', () => {
  it('is read as forms are: a plus is a space, and an escape is a byte', () => {
    const { fields, state } = parseQueryString('scope=a+b%20c&state=%FF%00+x&empty=&bare&%73=v=w')
    expect(Object.fromEntries(fields)).toEqual({
      scope: 'a b c',
      state: '\ufffd\0 x',
      s: 'v=w',
    })
    expect(state).toEqual(Buffer.from([0xff, 0, 0x20, 0x78]))
  })

  it('keeps apart a state that is empty and one that is missing', () => {
    expect(parseQueryString('state=').state).toEqual(Buffer.alloc(0))
    expect(parseQueryString('state').state).toEqual(Buffer.alloc(0))
    expect(parseQueryString('').state).toBeUndefined()
  })

  it.each([
    ['a=1&a=1', ['a']],
    ['a&b&a', ['a']],
    ['state=x&%73tate=y', ['state']],
    ['a=&a=', ['a']],
    ['a=1&b=1', []],
  ])('lists repeated parameters: %s', (text, names) => {
    expect(parseQueryString(text).repeated).toEqual(names)
  })

  it('that cannot be decoded is taken as it stands', () => {
    expect(parseQueryString('state=100%&x=%zz').state?.toString()).toBe('100%')
  })
})
