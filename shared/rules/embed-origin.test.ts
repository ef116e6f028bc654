import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { originAllowed } from './embed-origin.ts'

const ALLOWED = ['https://shop.example', 'https://*.stores.example', 'https://pos.example:8443']
const MORE = [...ALLOWED, 'http://localhost:3000', 'https://usual.example:443']

describe('origins that may frame the payment page', () => {
  it.each([
    'https://shop.example',
    'https://a.stores.example',
    'https://a.b-2.stores.example',
    'https://pos.example:8443',
    'http://localhost:3000',
    'https://usual.example',
  ])('%s may', (origin) => {
    expect(originAllowed(origin, MORE)).toBe(true)
  })

  it.each([
    'http://shop.example',
    'https://shop.example.evil.example',
    'https://shop.example:8443',
    'https://www.shop.example',
    'https://evil-shop.example',
    'https://stores.example',
    'https://.stores.example',
    'https://evilstores.example',
    'https://a.stores.example:8443',
    'https://evil.example/.stores.example',
    'https://evil.example#.stores.example',
    'https://user@a.stores.example',
    'http://a.stores.example',
    'https://pos.example',
    'http://localhost',
    'http://localhost:3001',
    'null',
    '',
    '*',
    'https://*.stores.example',
  ])('%s may not', (origin) => {
    expect(originAllowed(origin, MORE)).toBe(false)
  })

  it('an empty list allows no origin', () => {
    fc.assert(fc.property(fc.webUrl(), (url) => !originAllowed(new URL(url).origin, [])))
  })

  it('an origin is allowed exactly if a browser would match it', () => {
    const label = fc.stringMatching(/^[a-z]{1,4}$/)
    const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
    fc.assert(
      fc.property(host, host, (asking, parent) => {
        const below = asking.endsWith(`.${parent}`)
        return originAllowed(`https://${asking}`, [`https://*.${parent}`]) === below
      }),
    )
  })
})
