import { describe, expect, it } from 'vitest'
import { type ApiResponse, startTestApp, type TestApp } from '../app.ts'
import { MAIL_SETTINGS } from '../mail-settings.ts'
import { seedAll } from '../seed-all.ts'
import { ORIGIN, type Request, requestsOf } from './curl-commands.ts'
import { type Block, blocksOf, pageNames, readPage, writePage } from './markdown.ts'
import { newPlaceholders } from './placeholders.ts'

/**
 * The commands of the documentation run, page by page, against the product, and the answers that
 * are printed below them are the product's. `npm run docs` writes those answers.
 */

const IS_WRITING = process.env['CHECKSTAND_WRITE_DOCS'] === '1'

const app = await startTestApp({ BASE_URL: ORIGIN, ...MAIL_SETTINGS })

/** Variables of the commands, by the prefix of the id that they hold. */
const VARIABLES: Record<string, string> = {
  ACCOUNT: 'acc',
  CHARGE: 'cg',
  CHECKOUT: 'ck',
  CONTRACT: 'co',
  EVENT: 'evt',
  ID: 'pl',
  DEEP_LINK: 'dl',
  LINK: 'pl',
  PAYMENT: 'pay',
  PAYMENT_METHOD: 'pm',
  REFUND: 'ref',
  REVISION: 'sr',
  TOKEN: 'tok',
  WEBHOOK: 'wh',
}

/** One after another runs the commands of a page as a merchant of its own. */
async function openReader(of: TestApp) {
  const merchant = await of.newMerchant()
  const texts = newPlaceholders()
  texts.print(JSON.stringify(await seedAll(of, merchant)))

  function variable(name: string): string {
    if (name === 'SECRET_KEY') return merchant.secretKey
    const found = VARIABLES[name] === undefined ? undefined : texts.newest(VARIABLES[name])
    expect(found, `$${name} stands for nothing`).toBeDefined()
    return found as string
  }

  async function run({ method, path, headers, body }: Request): Promise<ApiResponse> {
    return of.call(texts.read(path), {
      method,
      headers,
      ...(body === undefined ? {} : { raw: texts.read(body) }),
    })
  }

  return {
    requests: (block: Block) => requestsOf(block.text, variable),
    run,
    /** The answer with stand-ins; what was printed last is what variables then hold. */
    printed: ({ text }: ApiResponse) => JSON.parse(texts.print(text || 'null')) as unknown,
  }
}

const pages = ['../README.md', ...pageNames()].map(
  (name) => [name, blocksOf(readPage(name))] as const,
)
/** What a platform does with a token is shown by the tests with real OAuth libraries. */
const isCommand = ({ language, text }: Block) =>
  ['', 'sh'].includes(language) && text.startsWith('curl ') && !text.includes('$ACCESS_TOKEN')

describe.each(pages.filter(([, blocks]) => blocks.some(isCommand)))('%s', (name, blocks) => {
  it('shows commands that work, with the answers that they get', async () => {
    const reader = await openReader(app)
    const answers = new Map<Block, unknown>()
    for (const [at, block] of blocks.entries()) {
      if (!isCommand(block)) continue
      const next = blocks[at + 1]
      const shown = next?.language === 'json' ? next : undefined
      for (const request of reader.requests(block)) {
        const response = await reader.run(request)
        const where = `${name}:${block.line}: ${response.text}`
        expect(response.status < 400, where).toBe(!shown?.info.includes('refused'))
        const printed = reader.printed(response)
        if (shown) answers.set(shown, printed)
      }
    }
    if (IS_WRITING) writePage(name, withAnswers(readPage(name), answers))
    else
      for (const [{ text, line }, answer] of answers)
        expect(JSON.parse(text), `${name}:${line} (npm run docs writes it)`).toEqual(answer)
  })
})

/** Returns a page with the answers in the place of the blocks that showed them. */
function withAnswers(page: string, answers: Map<Block, unknown>): string {
  const lines = page.split('\n')
  for (const [{ text, line }, answer] of [...answers].toReversed()) {
    const length = text.split('\n').length - 1
    lines.splice(line - 1, length, ...JSON.stringify(answer, null, 2).split('\n'))
  }
  return lines.join('\n')
}

describe('a block of JSON', () => {
  const written = pages.flatMap(([name, blocks]) =>
    blocks.filter(({ language }) => language === 'json').map((block) => ({ name, ...block })),
  )

  it.each(written)('is JSON at $name:$line', ({ text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow()
  })
})
