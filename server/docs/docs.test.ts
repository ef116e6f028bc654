import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'

const app = await startTestApp()
const page = (path: string) => app.checkstand.fetch(new Request(`http://localhost:4242${path}`))
const { baseUrl } = app.checkstand.deps.config

describe('the guides', () => {
  it('are pages without script, with the address of this server in their samples', async () => {
    const response = await page('/docs/payment-links')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('content-security-policy')).not.toContain('script-src')
    const text = await response.text()
    expect(text).toContain('<h1 id="payment-links">Payment links</h1>')
    expect(text).toContain(`curl ${baseUrl}/c/api/instances/default/payment_links`)
    expect(text).not.toContain('<script')
  })

  it('lead to guides that there are, and to headings in them', async () => {
    const contents = await (await page('/docs')).text()
    const names = [...contents.matchAll(/href="\/docs\/([\w-]+)"/g)].map(([, name = '']) => name)
    const guides = [...new Set(names)].filter((name) => name !== 'reference')
    expect(guides.length).toBeGreaterThan(25)
    const texts = new Map<string, string>()
    for (const name of guides) texts.set(name, await (await page(`/docs/${name}`)).text())
    const broken = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/href="(?:\/docs\/([\w-]+))?(?:#([^"]+))?"/g)].flatMap(
        ([link, guide = name, id]) => {
          const target = guide === 'reference' || guide === 'assets' ? '' : texts.get(guide)
          const isThere =
            target !== undefined &&
            (id === undefined || id === 'content' || target.includes(`id="${id}"`))
          return isThere ? [] : [`${name}: ${link}`]
        },
      ),
    )
    expect(broken).toEqual([])
  })

  it.each([
    ['lost answer', 'When Stripe does not answer'],
    ['unresolvd', 'Unresolved operations'],
    ['webhook sign', 'Verify the signature'],
  ])('are searched: %s', async (query, title) => {
    const text = await (await page(`/docs/search?q=${encodeURIComponent(query)}`)).text()
    expect(text).toContain(`>${title}</a>`)
  })

  it('say what is not found, and write nothing of a question into the page as it is', async () => {
    const text = await (await page('/docs/search?q=%3Cscript%3Exyzzy')).text()
    expect(text).toContain('Nothing is found for “&lt;script&gt;xyzzy”')
    expect((await page('/docs/search')).status).toBe(303)
    expect((await page('/docs/nothing')).status).toBe(404)
    expect((await page('/docs/assets/..%2fdocs.json')).status).toBe(404)
  })
})

describe('the reference', () => {
  it('has an origin of its own, and everybody reads the description', async () => {
    const { headers } = await page('/docs/reference')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox /)
    expect(policy).not.toContain('allow-same-origin')
    expect(policy).toContain("connect-src 'self'")
    const description = await page('/openapi.json')
    expect(description.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('comes compressed by the build', async () => {
    const html = await (await page('/docs/reference')).text()
    const scripts = [...html.matchAll(/src="([^"]+)"/g)].map(([, src = '']) => src)
    expect(scripts).toHaveLength(2)
    for (const src of scripts) {
      const request = new Request(baseUrl + src, { headers: { 'accept-encoding': 'br' } })
      const response = await app.checkstand.fetch(request)
      expect(response.headers.get('content-encoding')).toBe('br')
      expect(response.headers.get('cache-control')).toContain('immutable')
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(1_300_000)
    }
  })
})
