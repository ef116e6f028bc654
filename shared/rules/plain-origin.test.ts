import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainOrigin, plainOrigin } from './plain-origin.ts'

describe('the origin of a URL', () => {
  it.each([
    ['https://shop.example/logo.png?v=1#a', 'https://shop.example'],
    ['HTTPS://Shop.Example:443/', 'https://shop.example'],
    ['https://shop.example:8443/', 'https://shop.example:8443'],
    ['https://my_shop.example./', 'https://my_shop.example.'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example'],
    ['https://127.1/', 'https://127.0.0.1'],
  ])('%s is %s', (url, origin) => {
    expect(plainOrigin(url)).toBe(origin)
  })

  it.each([
    "https://a;script-src-elem'none'/",
    'https://a,b/',
    "https://a'b/",
    'https://a"b/',
    'https://*.shop.example/',
    'https://a(b)/',
    'https://[2606:4700::1]/',
    'https://:1/',
    'https://shop.example:99999/',
    'data:image/png,x',
    'blob:x',
    'shop.example',
    '',
  ])('%s is not a plain one', (url) => {
    expect(plainOrigin(url)).toBeNull()
  })

  it('has no character with a meaning in a policy, for any host', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (host) => {
        expect(plainOrigin(`https://${host}/`) ?? '').not.toMatch(/[;,\s'"*]/)
      }),
    )
  })
})

it.each([
  'https://shop.example:65536',
  'https://Shop.example',
  'https://shop.example/',
  'https://',
])('%s is not a normalized origin', (text) => {
  expect(isPlainOrigin(text)).toBe(false)
})
