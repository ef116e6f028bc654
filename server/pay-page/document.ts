import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PageModel } from '../../shared/page-model.ts'
import type { ColorScheme } from '../../shared/rules/scheme.ts'
import { intlLanguage } from '../../shared/rules/wording.ts'
import { applyColorScheme } from './color-scheme.ts'

export interface RenderedPage {
  html: string
  /** Hash of the inline style sheet, for the Content-Security-Policy. */
  styleHash: string
  /** Hash of the import map, for the Content-Security-Policy. */
  mapHash: string
}

export type PageRenderer = (model: PageModel, head: PageHead) => RenderedPage

export interface PageHead {
  url: string | null
  description: string | null
  /** The merchant's theme. */
  css?: string
  /** The color scheme of the embedding page; undefined for a page that is not embedded. */
  framed?: ColorScheme | undefined
  /** Origins of the scripts of processors. */
  preconnect?: readonly string[]
}

interface RenderModule {
  renderCheckout: (model: PageModel) => {
    title: string
    body: string
    css: string
    chunks: string[]
  }
}

/** A chunk of the script that the view needs soon. */
interface Chunk {
  url: string
  integrity: string
}

interface Manifest {
  [source: string]: { file: string; css?: string[]; isEntry?: boolean }
}

/** One of the built pages: where its files are, and how it is rendered. */
interface BuiltPage {
  folder: string
  entry: string
  module: string
}

const PAY_PAGE = { folder: 'page/', entry: 'widget/page/main.tsx', module: 'render.js' }
const TASK_PAGE = { folder: 'task/', entry: 'widget/task/main.tsx', module: 'render-task.js' }

/** Loads the built page. Throws an Error that names the build command when it is missing. */
export const loadPage = (distUrl: URL) => loadBuilt(distUrl, PAY_PAGE)

/** Loads the built page of customers' tasks. */
export const loadTaskPage = (distUrl: URL) => loadBuilt(distUrl, TASK_PAGE)

async function loadBuilt(
  distUrl: URL,
  { folder, entry: entryName, module }: BuiltPage,
): Promise<PageRenderer> {
  const rendering = new URL(`render/${module}`, distUrl).href
  const page = new URL(folder, distUrl)
  const { renderCheckout, manifest } = await import(rendering)
    .then((module: RenderModule) => ({ ...module, manifest: readManifest(page) }))
    .catch((error: unknown) => {
      throw new Error('The page is not built yet: run `npm run build`', { cause: error })
    })
  const entry = manifest[entryName]
  if (!entry) throw new Error('The built page has no entry: run `npm run build`')
  const script = readFileSync(new URL(entry.file, page))
  const sheets = (entry.css ?? []).map((file) => readFileSync(new URL(file, page), 'utf8'))
  const css = sheets.join('\n')
  const hashes = chunkHashes(page, manifest)
  const shell = { scriptUrl: `/${entry.file}`, integrity: cspHash(script) }
  const rare = Object.entries(OF_RARE_PAGES).map(
    ([name, isNeeded]) =>
      [`/${manifest[`widget/page/chunks/${name}.ts`]?.file}`, isNeeded] as const,
  )
  const importMapOf = (model: PageModel) => {
    const unneeded = new Set<string>(
      rare.flatMap(([url, isNeeded]) => (isNeeded(model) ? [] : [url])),
    )
    return importMap(Object.entries(hashes).filter(([url]) => !unneeded.has(url)))
  }
  return (model, head) => {
    const view = renderCheckout(model)
    const needed = view.chunks.map((name) => `widget/page/chunks/${name}.ts`)
    if (head.framed !== undefined) needed.push('widget/page/framed/bridge.ts')
    const preloaded = needed.flatMap((name) => {
      const file = manifest[name]?.file
      return file === undefined ? [] : [{ url: `/${file}`, integrity: hashes[`/${file}`] ?? '' }]
    })
    const styled = applyColorScheme(css + view.css, head.css ?? '', head.framed)
    const { map, mapHash } = importMapOf(model)
    return {
      html: document({ ...shell, map, css: styled, preloaded }, model, head, view),
      styleHash: cspHash(styled),
      mapHash,
    }
  }
}

const readManifest = (page: URL) =>
  JSON.parse(readFileSync(new URL('manifest.json', page), 'utf8')) as Manifest

const hasConnected = ({ processors, checkout }: PageModel) =>
  processors !== undefined || checkout.methods.some(({ processor }) => processor !== 'sandbox')

/** The chunks that few pages load, and whose hashes the import maps of the others leave out. */
const OF_RARE_PAGES: Readonly<Record<string, (model: PageModel) => boolean>> = {
  'framed-card': hasConnected,
  'bank-methods': hasConnected,
  choice: ({ checkout }) => checkout.terms.choice !== undefined,
  entity: ({ checkout }) => checkout.legal_entity !== undefined,
  owed: ({ checkout: { terms } }) => terms.charges !== undefined || terms.recurring !== undefined,
}

/** Returns an import map with these integrity hashes, and its own hash. */
function importMap(integrity: [url: string, hash: string][]): { map: string; mapHash: string } {
  const map = JSON.stringify({ integrity: Object.fromEntries(integrity) })
  return { map, mapHash: cspHash(map) }
}

function cspHash(content: string | Uint8Array): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}

/**
 * Returns the integrity hashes of the chunks that are imported later, for the import map. Browsers
 * without integrity in import maps load them unchecked.
 */
function chunkHashes(page: URL, manifest: Manifest): Record<string, string> {
  const files = new Set(
    Object.values(manifest).flatMap(({ file, isEntry }) =>
      file.endsWith('.js') && !isEntry ? [file] : [],
    ),
  )
  return Object.fromEntries(
    [...files].map((file) => [`/${file}`, cspHash(readFileSync(new URL(file, page)))]),
  )
}

/** The first frame waits for the whole form, since one in between would be a layout shift on a slow phone. */
function document(
  shell: { css: string; scriptUrl: string; integrity: string; map: string; preloaded: Chunk[] },
  model: PageModel,
  head: PageHead,
  content: { title: string; body: string },
): string {
  const { language, direction } = model.checkout
  const preview = head.url
    ? [
        `<meta property="og:type" content="website">`,
        `<meta property="og:title" content="${escape(content.title)}">`,
        `<meta property="og:site_name" content="${escape(model.checkout.merchant)}">`,
        ...(model.logo ? [`<meta property="og:image" content="${escape(model.logo)}">`] : []),
        `<meta property="og:url" content="${escape(head.url)}">`,
        ...(head.description
          ? [
              `<meta property="og:description" content="${escape(head.description)}">`,
              `<meta name="description" content="${escape(head.description)}">`,
            ]
          : []),
      ].join('\n')
    : ''
  return `<!doctype html>
<html lang="${escape(intlLanguage(language))}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="format-detection" content="telephone=no">
<title>${escape(content.title)}</title>
${preview}
<link rel="icon" href="data:,">
<link rel="expect" href="#checkout" blocking="render">
<style>${shell.css}</style>
<script type="importmap">${shell.map}</script>
<script type="module" src="${shell.scriptUrl}" integrity="${shell.integrity}"></script>
${[...shell.preloaded.map(preload), ...(head.preconnect ?? []).map(preconnect)].join('\n')}
</head>
<body>
<div id="checkout">${content.body}</div>
<script type="application/json" id="page-model">${scriptJson(model)}</script>
</body>
</html>
`
}

/** A preload needs the integrity of the import map, or the browser discards it. */
function preload({ url, integrity }: Chunk): string {
  return `<link rel="modulepreload" href="${url}" integrity="${integrity}">`
}

function preconnect(origin: string): string {
  return `<link rel="preconnect" href="${escape(origin)}">`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Returns JSON that cannot end its script element or begin a comment in it. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
