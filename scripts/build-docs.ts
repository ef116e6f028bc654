import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { Marked, type Tokens } from 'marked'
import type { BuiltDocs, Guide, GuideGroup, GuideSection } from '../server/docs/built-docs.ts'

/** Turns the guides in `docs/` into HTML, and takes the reference along, for `/docs` of the server. */

const ROOT = new URL('../', import.meta.url)
const DIST = new URL('dist/docs/', ROOT)
const SCALAR = new URL('node_modules/@scalar/api-reference/dist/browser/standalone.js', ROOT)
/** What is for people who change the code, or is served in another form. */
const LEFT_OUT = /^(?:README|architecture|decisions|event-examples)\.md$/

/** The reference is 5 MB: the highest quality takes 10 s of a first start, and makes it a tenth smaller. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

await rm(DIST, { recursive: true, force: true })
await mkdir(new URL('assets/', DIST), { recursive: true })
await cp(new URL('docs/images/', ROOT), new URL('images/', DIST), { recursive: true })

const names = (await readdir(new URL('docs/', ROOT)))
  .filter((name) => name.endsWith('.md') && !LEFT_OUT.test(name))
  .map((name) => name.replace(/\.md$/, ''))
const guides: Guide[] = []
const sections: GuideSection[] = []
for (const name of names) {
  const text = await readFile(new URL(`docs/${name}.md`, ROOT), 'utf8')
  const { guide, found } = await convert(name, text)
  guides.push(guide)
  sections.push(...found)
}
const built: BuiltDocs = {
  css: await asset('docs.css', await styles()),
  scalar: await asset('scalar.js', await readFile(SCALAR, 'utf8')),
  storage: await asset(
    'storage.js',
    await readFile(new URL('server/docs/memory-storage.js', ROOT), 'utf8'),
  ),
  groups: groupsOf(await readFile(new URL('docs/README.md', ROOT), 'utf8')),
  guides,
  sections,
}
await writeFile(new URL('docs.json', DIST), JSON.stringify(built))

/** Writes a file with its hash in its name, and its compressed form beside it. Returns its address. */
async function asset(name: string, content: string): Promise<string> {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const file = name.replace('.', `-${hash}.`)
  await writeFile(new URL(`assets/${file}`, DIST), content)
  const compressed = await promisify(brotliCompress)(content, QUALITY)
  await writeFile(new URL(`assets/${file}.br`, DIST), compressed)
  return `/docs/assets/${file}`
}

async function styles(): Promise<string> {
  const files = ['widget/ui/theme.css', 'server/docs/docs.css']
  const texts = await Promise.all(files.map((path) => readFile(new URL(path, ROOT), 'utf8')))
  return texts.join('\n')
}

async function convert(
  name: string,
  text: string,
): Promise<{ guide: Guide; found: GuideSection[] }> {
  const found: GuideSection[] = []
  const taken = new Map<string, number>()
  let title = name
  let tables = 0
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: raw }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens)
        const id = slug(raw, taken)
        if (depth === 1) title = plain(inner)
        found.push({ guide: name, id: depth === 1 ? '' : id, title: plain(inner), text: '' })
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens)
        const target = targetOf(href)
        return target === undefined ? inner : `<a href="${target}">${inner}</a>`
      },
      image: ({ href, text: alt }: Tokens.Image) =>
        `<img src="/docs/${href}" alt="${plain(alt)}" loading="lazy">`,
      table(token: Tokens.Table): string {
        return `<div class="table" tabindex="0" role="region" aria-label="Table ${(tables += 1)}">${tableOf(token, (tokens) => this.parser.parseInline(tokens))}</div>`
      },
      code: ({ text: code }: Tokens.Code) =>
        `<pre tabindex="0"><code>${escape(code)}</code></pre>\n`,
    },
  })
  const html = await marked.parse(text)
  fillTexts(found, html)
  return { guide: { name, title, html }, found }
}

function tableOf(
  { header, rows }: Tokens.Table,
  inline: (tokens: Tokens.TableCell['tokens']) => string,
): string {
  const cells = (row: Tokens.TableCell[], tag: string) =>
    row.map(({ tokens }) => `<${tag}>${inline(tokens)}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body}</tbody></table>`
}

/** Gives each section the text between its heading and the next one. */
function fillTexts(found: GuideSection[], html: string): void {
  const parts = html.split(/<h\d id="[^"]*">.*?<\/h\d>/s).slice(1)
  for (const [at, section] of found.entries()) section.text = plain(parts[at] ?? '')
}

/** The address on the server of what a guide links to; undefined for files of the repository. */
function targetOf(href: string): string | undefined {
  if (/^(?:https?:|#|mailto:)/.test(href)) return href
  const [, name = '', hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === 'README') return '/docs'
  if (name !== '' && !LEFT_OUT.test(`${name}.md`)) return `/docs/${name}${hash}`
  if (name === 'event-examples') return `/docs/reference`
  return href === 'openapi.json' ? '/openapi.json' : undefined
}

/** The id of a heading, as the links of the guides have it. */
function slug(text: string, taken: Map<string, number>): string {
  const id = plain(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const before = taken.get(id) ?? 0
  taken.set(id, before + 1)
  return before === 0 ? id : `${id}-${before}`
}

/** The text of HTML, or of Markdown within a line. */
function plain(html: string): string {
  return html
    .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The groups of the contents, in their order, of those guides that are served. */
function groupsOf(contents: string): GuideGroup[] {
  return contents
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.split('\n', 1)[0] ?? '',
      guides: [...part.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.md\)\s*\| (.*?)\s*\|$/gm)]
        .map(([, name = '', about = '']) => ({ name, about: plain(about) }))
        .filter(({ name }) => names.includes(name)),
    }))
    .filter(({ guides: own }) => own.length > 0)
}
