import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { BASE, startTestApp } from '../../test/app.ts'

const app = await startTestApp()
const { version } = about

describe('the embed script', () => {
  it.each([
    ['/widget.js', 'public, max-age=3600'],
    ['/widget.mjs', 'public, max-age=3600'],
    [`/widget/v${version}.js`, 'public, max-age=31536000, immutable'],
    [`/widget/v${version}.mjs`, 'public, max-age=31536000, immutable'],
  ])('%s may be loaded by pages of every origin', async (path, cached) => {
    const { status, headers } = await app.call(path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': cached,
      vary: 'Accept-Encoding',
    })
  })

  it('has a versioned URL and the hash of its content', async () => {
    const { json } = await app.call('/widget.json')
    expect(json.version).toBe(version)
    for (const { url, integrity } of [json.script, json.module]) {
      const { text } = await app.call(url.slice(BASE.length))
      const hash = createHash('sha384').update(text).digest('base64')
      expect(integrity).toBe(`sha384-${hash}`)
    }
    expect((await app.call('/widget/v0.0.0.js')).status).toBe(404)
  })

  it('is compressed as the browser requests', async () => {
    const { headers } = await app.call('/widget.js', { headers: { 'accept-encoding': 'br, gzip' } })
    expect(headers.get('content-encoding')).toBe('br')
  })
})
