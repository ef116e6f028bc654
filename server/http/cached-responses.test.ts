import { expect, it, vi } from 'vitest'
import { BASE, createCaller, startTestApp } from '../../test/app.ts'
import { createApp } from '../app.ts'
import { newLink } from '../../test/payer-client.ts'

const app = await startTestApp()

it('the OpenAPI document is created once, compressed on request, and 304 if unchanged', async () => {
  const write = vi.spyOn(JSON, 'stringify')
  const first = await app.call('/openapi.json')
  write.mockClear()
  const second = await app.call('/openapi.json')
  const written = write.mock.calls.filter(([value]) => Object.hasOwn(Object(value), 'openapi'))
  write.mockRestore()
  expect(second.json).toEqual(first.json)
  expect(written).toEqual([])
  const packed = await app.checkstand.fetch(
    new Request(`${BASE}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } }),
  )
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  const etag = first.headers.get('etag') ?? ''
  expect(packed.headers.get('etag')).toBe(etag)
  for (const cached of [etag, `"x", ${etag}`, '*']) {
    const again = await app.call('/openapi.json', { headers: { 'if-none-match': cached } })
    expect([again.status, again.text]).toEqual([304, ''])
  }
  const other = await app.call('/openapi.json', { headers: { 'if-none-match': '"x"' } })
  expect(other.status).toBe(200)
})

it('the page of an unknown or unavailable link is rendered once per language', async () => {
  const gone = await newLink(app.merchant)
  await app.merchant.api(`/payment_links/${gone.id}`, { method: 'DELETE' })
  const { deps, parts } = app.checkstand
  const render = vi.fn(parts.page)
  const call = createCaller(createApp(deps, { ...parts, page: render }).app)
  for (const [id, status] of [
    ['pl_unknown_1', 404],
    [gone.id, 410],
  ] as const) {
    render.mockClear()
    const pages = []
    for (let turn = 0; turn < 3; turn += 1) pages.push(await call(`/pay/${id}`))
    expect(pages.map((page) => page.status)).toEqual([status, status, status])
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
    expect(render).toHaveBeenCalledTimes(1)
    const french = await call(`/pay/${id}`, { headers: { 'accept-language': 'fr' } })
    expect(french.text).toContain('<html lang="fr"')
  }
})

it('the page of an unavailable link shows later changes of the merchant', async () => {
  const { merchant } = app
  const { id } = await newLink(merchant)
  await merchant.api(`/payment_links/${id}`, { method: 'DELETE' })
  const before = await app.call(`/pay/${id}`)
  const change = { instance: { name: 'Renamed Shop' } }
  expect((await merchant.api('', { method: 'PUT', body: change })).status).toBe(200)
  const after = await app.call(`/pay/${id}`)
  expect(before.text).not.toContain('Renamed Shop')
  expect(after.text).toContain('Renamed Shop')
})
