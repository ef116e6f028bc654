import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findHost, ancestorOrigin } from './host.ts'

const SHOP = 'https://shop.example'
const ALLOWED = [SHOP, 'https://*.stores.example']
const PAY = 'https://pay.example'

/** A frame whose address and name are these; `around` is what the browser says of its ancestors. */
function frame(hash: string, more: { search?: string; name?: string; around?: string[] } = {}) {
  const { search = '', name = '', around } = more
  const own = { name }
  vi.stubGlobal('window', own)
  vi.stubGlobal('location', { origin: PAY, hash, search, ancestorOrigins: around })
  return own
}

beforeEach(() => frame(''))
afterEach(() => vi.unstubAllGlobals())

describe('the page around', () => {
  it('is whom the embed script named', () => {
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
    ['nobody', ''],
    ['nobody by name', '#0.72'],
    ['without a nonce', `#,${SHOP},`],
    ['who is not allowed', '#0.72,https://evil.example,'],
    ['of our own origin', `#0.72,${PAY},`],
    ['of no origin', '#0.72,null,'],
    ['everybody', '#0.72,*,'],
  ])('is nobody where it is %s', (_, hash) => {
    frame(hash)
    expect(findHost([...ALLOWED, PAY])).toBeUndefined()
  })

  it('is nobody where the browser knows better', () => {
    frame(`#0.72,${SHOP},`, { around: ['https://a.stores.example'] })
    expect(findHost(ALLOWED)).toBeUndefined()
    frame(`#0.72,${SHOP},`, { around: [SHOP, 'https://portal.example'] })
    expect(findHost(ALLOWED)).toMatchObject({ origin: SHOP })
  })

  it('is known again after a bank’s page, by the name of the frame', () => {
    const { name } = (() => {
      const own = frame(`#0.72,${SHOP},true`, { search: '?theme=dark' })
      findHost(ALLOWED)
      return own
    })()
    frame('', { search: '?ck=handle', name })
    expect(findHost(ALLOWED)).toEqual({ frame: '0.72', origin: SHOP, overlay: true, theme: 'dark' })
  })

  it('is nobody where a name says something else', () => {
    frame('', { name: `0.72,${SHOP},` })
    expect(findHost(ALLOWED)).toBeUndefined()
    frame('', { name: 'checkstand 0.72,https://evil.example,' })
    expect(findHost(ALLOWED)).toBeUndefined()
  })

  it('has an origin even where the frame was made by hand and the browser tells it', () => {
    frame('', { around: [SHOP] })
    expect(ancestorOrigin(ALLOWED)).toBe(SHOP)
    frame('', { around: ['https://evil.example'] })
    expect(ancestorOrigin(ALLOWED)).toBeUndefined()
    frame('')
    expect(ancestorOrigin(ALLOWED)).toBeUndefined()
  })
})
