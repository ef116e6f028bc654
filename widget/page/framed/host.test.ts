import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findHost, ancestorOrigin } from './host.ts'

const SHOP = 'https://shop.example'
const ALLOWED = [SHOP, 'https://*.stores.example']
const PAY = 'https://pay.example'

/** Stubs a frame with this URL and window name; `around` are its `ancestorOrigins`. */
function frame(hash: string, more: { search?: string; name?: string; around?: string[] } = {}) {
  const { search = '', name = '', around } = more
  const own = { name }
  vi.stubGlobal('window', own)
  vi.stubGlobal('location', { origin: PAY, hash, search, ancestorOrigins: around })
  return own
}

beforeEach(() => frame(''))
afterEach(() => vi.unstubAllGlobals())

describe('the host page', () => {
  it('is read from the URL fragment that the embed script sets', () => {
    frame(`#0.72,${SHOP},`, { search: '?theme=light%20dark' })
    expect(findHost(ALLOWED)).toEqual({
      frame: '0.72',
      origin: SHOP,
      overlay: false,
      theme: 'light dark',
    })
    frame(`#0.72,https://a.stores.example,true`)
    expect(findHost(ALLOWED)).toMatchObject({ origin: 'https://a.stores.example', overlay: true })
  })

  it.each([
    ['is empty', ''],
    ['has no origin', '#0.72'],
    ['has no nonce', `#,${SHOP},`],
    ['has an origin that is not allowed', '#0.72,https://evil.example,'],
    ['has the origin of the payment page', `#0.72,${PAY},`],
    ['has an opaque origin', '#0.72,null,'],
    ['has a wildcard', '#0.72,*,'],
  ])('is unknown when the fragment %s', (_, hash) => {
    frame(hash)
    expect(findHost([...ALLOWED, PAY])).toBeUndefined()
  })

  it('is unknown when the browser reports another origin', () => {
    frame(`#0.72,${SHOP},`, { around: ['https://a.stores.example'] })
    expect(findHost(ALLOWED)).toBeUndefined()
    frame(`#0.72,${SHOP},`, { around: [SHOP, 'https://portal.example'] })
    expect(findHost(ALLOWED)).toMatchObject({ origin: SHOP })
  })

  it('is restored from the window name after the bank’s page', () => {
    const own = frame(`#0.72,${SHOP},true`, { search: '?theme=dark' })
    findHost(ALLOWED)
    frame('', { search: '?ck=handle', name: own.name })
    expect(findHost(ALLOWED)).toEqual({ frame: '0.72', origin: SHOP, overlay: true, theme: 'dark' })
  })

  it('is unknown when the window name has another format', () => {
    frame('', { name: `0.72,${SHOP},` })
    expect(findHost(ALLOWED)).toBeUndefined()
    frame('', { name: 'checkstand 0.72,https://evil.example,' })
    expect(findHost(ALLOWED)).toBeUndefined()
  })

  it('has the origin that the browser reports for a frame without the embed script', () => {
    frame('', { around: [SHOP] })
    expect(ancestorOrigin(ALLOWED)).toBe(SHOP)
    frame('', { around: ['https://evil.example'] })
    expect(ancestorOrigin(ALLOWED)).toBeUndefined()
    frame('')
    expect(ancestorOrigin(ALLOWED)).toBeUndefined()
  })
})
