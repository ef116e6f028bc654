import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'

const app = await startTestApp()

describe('the QR code of a link', () => {
  it('is an SVG of its URL with a private cache lifetime', async () => {
    const link = await newLink(app.merchant, { amount: '12.50' })
    const { status, headers, text } = await app.call(`/pay/${link.id}/qr.svg`)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(headers.get('cache-control')).toBe('private, max-age=300')
    expect(text).toMatch(/^<svg /)
    expect(text).not.toContain('<script')
  })

  it('differs between links and is stable for each', async () => {
    const [one, other] = [await newLink(app.merchant, {}), await newLink(app.merchant, {})]
    const code = async (id: string) => (await app.call(`/pay/${id}/qr.svg`)).text
    expect(await code(one.id)).toBe(await code(one.id))
    expect(await code(one.id)).not.toBe(await code(other.id))
  })

  it('is 404 for an unknown link', async () => {
    expect((await app.call('/pay/pl_unknown_link/qr.svg')).status).toBe(404)
  })

  it('is 410 for an archived or expired link', async () => {
    const archived = await newLink(app.merchant, {})
    await app.merchant.api(`/payment_links/${archived.id}`, { method: 'DELETE' })
    expect((await app.call(`/pay/${archived.id}/qr.svg`)).status).toBe(410)
    const expires = new Date(app.now() + 60_000).toISOString()
    const { id } = await newLink(app.merchant, {}, { expires })
    app.pass(61_000)
    expect((await app.call(`/pay/${id}/qr.svg`)).status).toBe(410)
  })
})
