import { readFileSync, readdirSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'

/**
 * The budget of the page in bytes, compressed with brotli. A change that needs more saves it elsewhere.
 */
const WHOLE_PAGE = 25_400
const SCRIPT = 18_450
/** The page and the response that opens its session. */
const FIRST_VISIT = 26_000
/** Each chunk that is loaded on demand. */
const CHUNK = 2_500
/** The chunk of the payment methods, the validation and the payment. */
const PAY = 4_700
/** The chunk of cards in frames of their processor, which only pages with such a method load. */
const FRAMED_CARD = 3_300
/** The page with every chunk. */
const EVERYTHING = 46_000

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
/** The chunks, without the one of a framed page. */
const chunks = (manifest['widget/page/main.tsx']?.dynamicImports ?? [])
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

const ORDER = { amount: '24.00', name: 'Two bags of coffee' }
const document = await documentWeight(ORDER)

describe('the size of the page', () => {
  it('is within its budget: document, style sheet, strings and script', () => {
    expect(script).toBeLessThanOrEqual(SCRIPT)
    expect(document + script).toBeLessThanOrEqual(WHOLE_PAGE)
  })

  it('is within its budget with the response that opens the session', async () => {
    const link = await newLink(app.merchant, ORDER)
    const page = await app.call(`/pay/${link.id}`)
    const [, model = ''] = /id="page-model">(.*?)<\/script>/.exec(page.text) ?? []
    const { strings_hash, language } = JSON.parse(model).checkout
    const opened = await app.checkstand.fetch(
      new Request(`http://shop.test/pay/${link.id}/checkouts`, {
        method: 'POST',
        body: JSON.stringify({ strings_hash, known_strings: 'ALL', language }),
        headers: { 'content-type': 'application/json', 'accept-encoding': 'br' },
      }),
    )
    expect(opened.status).toBe(200)
    const reply = (await opened.arrayBuffer()).byteLength
    expect(document + script + reply).toBeLessThanOrEqual(FIRST_VISIT)
  })

  it('is within its budget in a language with a multi-byte script', async () => {
    const hindi = await documentWeight({ amount: '24.00', name: 'Coffee' }, '?lang=hi')
    expect(hindi + script).toBeLessThanOrEqual(WHOLE_PAGE + 2_000)
  })

  it.each(chunks)('is within its budget in the chunk "%s"', (name, file) => {
    const budget = { pay: PAY, 'framed-card': FRAMED_CARD }[name] ?? CHUNK
    expect(weight(file)).toBeLessThanOrEqual(budget)
  })

  it('is within its budget with every chunk', () => {
    const all = chunks.reduce((sum, [, file]) => sum + weight(file), document + script)
    const sources = readdirSync(new URL('../../widget/page/chunks/', import.meta.url))
    expect(chunks.map(([name]) => `${name}.ts`).toSorted()).toEqual(sources.toSorted())
    expect(all).toBeLessThanOrEqual(EVERYTHING)
  })
})
