import { describe, expect, it } from 'vitest'
import { readRedirectUrl, redirectUriError } from './redirect-uri.ts'

describe('an address that may be registered', () => {
  it.each([
    'https://platform.example/callback',
    'https://platform.example',
    'https://platform.example:8443/a?tenant=7&x=',
    'https://sub.platform.example/%C3%A9',
  ])('%s', (url) => {
    expect(redirectUriError(url, false)).toBeNull()
    expect(redirectUriError(url, true)).toBeNull()
  })

  it.each(['http://localhost:3000/cb', 'http://127.0.0.1/cb'])('%s, for development', (url) => {
    expect(redirectUriError(url, true)).toBeNull()
    expect(redirectUriError(url, false)).toBe(
      'must be https, except for development (--development)',
    )
  })
})

describe('an address that may not', () => {
  it.each([
    ['http://platform.example/cb', 'https'],
    ['http://localhost.platform.example/cb', 'https'],
    ['https://platform.example/cb#', 'fragment'],
    ['https://platform.example/cb#here', 'fragment'],
    ['https://ada:secret@platform.example/cb', 'user name'],
    ['https://ada@platform.example/cb', 'user name'],
    ['javascript:alert(1)', 'https'],
    ['myapp://callback', 'https'],
    ['/callback', 'https'],
    ['//platform.example/cb', 'https'],
    ['https:platform.example/cb', 'https'],
    ['https:\\\\platform.example\\cb', 'https'],
    ['https://platform.example/a b', 'spaces'],
    ['https://platform.example/\ncb', 'spaces'],
    ['https://platform.example/é', 'percent-encoded'],
    ['https://[2001:db8::1]/cb', 'IPv6'],
    ['https://a;sandbox/cb', 'host of letters'],
    ['https://a,b/cb', 'host of letters'],
    [`https://platform.example/${'a'.repeat(2048)}`, '2048'],
    ['https://platform.example/cb?state=mine', 'parameter state'],
    ['https://platform.example/cb?%63ode=x', 'parameter code'],
    ['', 'https'],
  ])('%s', (url, rule) => {
    expect(redirectUriError(url, true)).toContain(rule)
  })
})

describe('the address in a request', () => {
  const of = (fields: Record<string, string>) => readRedirectUrl(new Map(Object.entries(fields)))

  it('is redirect_url, or redirect_uri as libraries call it', () => {
    expect(of({ redirect_url: 'https://a.example' })).toBe('https://a.example')
    expect(of({ redirect_uri: 'https://a.example' })).toBe('https://a.example')
    expect(of({})).toBeUndefined()
  })

  it('may be there by both names, if both say the same', () => {
    const both = { redirect_url: 'https://a.example', redirect_uri: 'https://a.example' }
    expect(of(both)).toBe('https://a.example')
    expect(() => of({ ...both, redirect_uri: 'https://a.example/' })).toThrow('differ')
  })
})
