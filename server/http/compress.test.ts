import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'
import { acceptedEncoding } from './compress.ts'

describe('the encoding of a response', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0', 'gzip'],
    ['gzip;q=0, br;q=0.0', 'identity'],
    ['GZIP'.toLowerCase(), 'gzip'],
    ['deflate', 'identity'],
    [undefined, 'identity'],
  ] as const)('for %j is %s', (header, expected) => {
    expect(acceptedEncoding(header)).toBe(expected)
  })
})

describe('the page of a payer', async () => {
  const app = await startTestApp()
  const link = await newLink(app.merchant)
  const fetchPage = (headers: Record<string, string>) =>
    Promise.resolve(
      app.checkstand.fetch(new Request(`http://shop.test/pay/${link.id}`, { headers })),
    )

  it.each([
    ['br', promisify(brotliDecompress)],
    ['gzip', promisify(gunzip)],
  ] as const)('travels as %s, and is the same page', async (encoding, unpack) => {
    const plain = await (await fetchPage({})).text()
    const packed = await fetchPage({ 'accept-encoding': encoding })
    expect(packed.headers.get('content-encoding')).toBe(encoding)
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    expect(packed.headers.get('content-security-policy')).toContain("default-src 'none'")
    const bytes = Buffer.from(await packed.arrayBuffer())
    expect(bytes.length).toBeLessThan(plain.length / 3)
    expect((await unpack(bytes)).toString()).toBe(plain)
  })

  it('is sent uncompressed to clients that accept nothing else', async () => {
    const page = await fetchPage({ 'accept-encoding': 'identity' })
    expect(page.headers.get('content-encoding')).toBeNull()
    expect(await page.text()).toContain('<!doctype html>')
  })
})
