import { describe, expect, it } from 'vitest'
import { redirectTargetProblem } from './redirect-target.ts'

describe('a payer may be redirected', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/paid?order=7&flag#top',
    'https://shop.example:8443/a%20b',
    'https://xn--bcher-kva.example/',
    'HTTPS://shop.example/',
    'http://localhost:3000/paid',
    'http://127.0.0.1/paid',
  ])('to %s', (target) => {
    expect(redirectTargetProblem(target, false)).toBeNull()
  })

  it('to plain http only in a TEST instance', () => {
    expect(redirectTargetProblem('http://shop.example/', true)).toBeNull()
    expect(redirectTargetProblem('http://shop.example/', false)).toContain('https')
  })
})

describe.each([false, true])('a payer is never redirected, test mode %s', (testMode) => {
  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'javascript://shop.example/%0aalert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,hello',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://shop.example/1',
    'ftp://shop.example/',
    'intent://shop.example#Intent;end',
    'mailto:ada@shop.example',
  ])('to the scheme of %s', (target) => {
    expect(redirectTargetProblem(target, testMode)).toContain('https')
  })

  it.each([
    '',
    'paid',
    '/paid',
    '//shop.example/paid',
    '\\\\shop.example\\paid',
    'https:\\\\shop.example',
    'https://',
    'https://shop.example/a b',
    'https://shop.example/\npaid',
    'https://shop.example/paid ',
    'https://shop .example/',
    'https://shop.example:99999/',
  ])('to "%s", which is no absolute address', (target) => {
    expect(redirectTargetProblem(target, testMode)).toContain('absolute https URL')
  })

  it.each([
    'https://bank.example@evil.example/',
    'https://user:secret@shop.example/',
    'https://:secret@shop.example/',
  ])('to %s, where one host looks like another', (target) => {
    expect(redirectTargetProblem(target, testMode)).toBe('may not carry a user name or password')
  })
})

describe('outside test mode', () => {
  it.each(['http://localhost.evil.example/', 'http://127.0.0.1.evil.example/', 'http://10.0.0.1/'])(
    '%s is not taken for this machine',
    (target) => {
      expect(redirectTargetProblem(target, false)).toBe('must be an absolute https URL')
    },
  )
})

describe('an ambiguous target', () => {
  it.each([
    ['https://bücher.example/', 'percent-encoded'],
    ['https://shop.example/спасибо', 'percent-encoded'],
    ['https://shop.example/\ud800', 'percent-encoded'],
    ['https:shop.example', 'absolute https URL'],
    ['https:///shop.example', 'absolute https URL'],
  ])('is rejected: %s', (target, rule) => {
    expect(redirectTargetProblem(target, true)).toContain(rule)
  })
})
