import { readFileSync, readdirSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'

/**
 * What the page may weigh, in bytes as they travel. These numbers only ever go down: whoever needs
 * more room makes it elsewhere first.
 */
const WHOLE_PAGE = 23_300
const SCRIPT = 15_000
/** The page, and the answer that opens its session with the wording that the document left out. */
const FIRST_VISIT = 25_300
/** Each part that is fetched when it comes into sight. */
const PART = 2_500
/** What checks the form and pays; it comes while the payer types. */
const PAY = 3_900
/** The page with every part that there is. */
const EVERYTHING = 34_600

const DIST = new URL('../../dist/page/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('manifest.json', DIST), 'utf8')) as Record<
  string,
  { file: string; name?: string; dynamicImports?: string[] }
>

function weight(file: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(readFileSync(new URL(file, DIST)), { params }).length
}

const app = await startTestApp()
const script = weight(manifest['widget/page/main.tsx']?.file ?? '')
/** All that the page's script may fetch later, but for what only a framed page needs. */
const parts = (manifest['widget/page/main.tsx']?.dynamicImports ?? [])
  .filter((source) => source !== 'widget/page/framed/bridge.ts')
  .map((source): [string, string] => {
    const chunk = manifest[source]
    return [chunk?.name ?? source, chunk?.file ?? '']
  })

async function documentWeight(options: Record<string, unknown>, language = ''): Promise<number> {
  const link = await newLink(app.merchant, options)
  const response = await app.checkstand.fetch(
    new Request(`http://shop.test/pay/${link.id}${language}`, {
      headers: { 'accept-encoding': 'br' },
    }),
  )
  expect(response.headers.get('content-encoding')).toBe('br')
  return (await response.arrayBuffer()).byteLength
}

describe('the page as it travels', () => {
  it('weighs no more than its budget: document, style sheet, wording and script', async () => {
    const document = await documentWeight({ amount: '24.00', name: 'Two bags of coffee' })
    expect(script).toBeLessThanOrEqual(SCRIPT)
    expect(document + script).toBeLessThanOrEqual(WHOLE_PAGE)
  })

  it('weighs no more than its budget with the answer that opens the session', async () => {
    const link = await newLink(app.merchant, { amount: '24.00', name: 'Two bags of coffee' })
    const page = await app.call(`/pay/${link.id}`)
    const [, model = ''] = /id="page-model">(.*?)<\/script>/.exec(page.text) ?? []
    const { strings_hash, language } = JSON.parse(model).checkout
    const opened = await app.checkstand.fetch(
      new Request(`http://shop.test/pay/${link.id}/checkouts`, {
        method: 'POST',
        body: JSON.stringify({ strings_hash, known_strings: 'FORM', language }),
        headers: { 'content-type': 'application/json', 'accept-encoding': 'br' },
      }),
    )
    expect(opened.status).toBe(200)
    const answer = (await opened.arrayBuffer()).byteLength
    const document = await documentWeight({ amount: '24.00', name: 'Two bags of coffee' })
    expect(document + script + answer).toBeLessThanOrEqual(FIRST_VISIT)
  })

  it('weighs little more in a language that is written in more bytes', async () => {
    const document = await documentWeight({ amount: '24.00', name: 'Coffee' }, '?lang=hi')
    expect(document + script).toBeLessThanOrEqual(WHOLE_PAGE + 2_000)
  })

  it.each(parts)('keeps the part "%s" small', (name, file) => {
    expect(weight(file)).toBeLessThanOrEqual(name === 'pay' ? PAY : PART)
  })

  it('weighs no more than its budget with every part that there is', async () => {
    const document = await documentWeight({ amount: '24.00', name: 'Two bags of coffee' })
    const all = parts.reduce((sum, [, file]) => sum + weight(file), document + script)
    const sources = readdirSync(new URL('../../widget/page/chunks/', import.meta.url))
    expect(parts.map(([name]) => `${name}.ts`).toSorted()).toEqual(sources.toSorted())
    expect(all).toBeLessThanOrEqual(EVERYTHING)
  })
})
