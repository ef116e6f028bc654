import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PageModel, SubmitAnswer } from '../../shared/page-model.ts'
import { NOWHERE } from './scenes.ts'
import type { Scene } from './scenes.ts'

/** Serves scenes with the built page and the policy of the real server, on a loopback port. */

const DIST = new URL('../../dist/', import.meta.url)

interface Built {
  css: string
  script: string
  render: (model: PageModel) => { body: string; title: string }
}

async function readBuild(): Promise<Built> {
  const manifest = await readFile(new URL('page/manifest.json', DIST), 'utf8')
  const entries = JSON.parse(manifest) as Record<string, { file: string; css?: string[] }>
  const entry = entries['widget/page/main.tsx']
  if (!entry?.css?.[0]) throw new Error('the page is not built: run `npm run build`')
  const { renderPage } = (await import(new URL('render/render.js', DIST).href)) as {
    renderPage: Built['render']
  }
  return {
    css: await readFile(new URL(`page/${entry.css[0]}`, DIST), 'utf8'),
    script: entry.file,
    render: renderPage,
  }
}

export interface Gallery {
  origin: string
  /** The scene that the page shows from now on. */
  show: (scene: Scene) => void
  close: () => Promise<void>
}

/** Starts a gallery; its one page shows one scene after the other. */
export async function serveGallery(): Promise<Gallery> {
  const built = await readBuild()
  let showing: Scene | undefined
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (path === '/' && showing) {
      const css = built.css + (showing.css ?? '')
      response.setHeader('Content-Security-Policy', policy(css))
      answer(response, 'text/html; charset=utf-8', document({ ...built, css }, showing))
    } else if (path.startsWith('/assets/')) {
      readFile(new URL(`page${path}`, DIST)).then(
        (bytes) => answer(response, 'text/javascript', bytes),
        () => response.writeHead(404).end(),
      )
    } else if (path === '/logo.svg') {
      answer(response, 'image/svg+xml', LOGO)
    } else if (path === NOWHERE) {
      response.writeHead(204).end()
    } else {
      request.resume()
      call(path, response, showing, `http://${request.headers.host}`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    show: (scene) => {
      showing = scene
    },
    close: () => closeServer(server),
  }
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" ' +
  'fill="#d7263d"/><path d="M8 22 16 8l8 14z" fill="#fff"/></svg>'

function call(
  path: string,
  response: ServerResponse,
  scene: Scene | undefined,
  origin: string,
): void {
  const json = (body: unknown) => answer(response, 'application/json', JSON.stringify(body))
  if (!scene) response.writeHead(404).end()
  else if (path === '/sandbox/tokens') json({ token: 'tok_gallery' })
  else if (path.endsWith('/submit')) {
    if (scene.submit === 'LOST') response.destroy()
    else if (scene.submit !== 'NEVER') json(withOrigin(scene.submit, origin))
  } else if (path.endsWith('/current')) {
    if (scene.submit === 'LOST') response.destroy()
    else json({ checkout: (scene.current ?? scene.model).checkout })
  } else if (scene.open === 'LOST') response.destroy()
  else json({ token: 'ckt_gallery', checkout: scene.model.checkout })
}

function answer(response: ServerResponse, type: string, body: string | Buffer): void {
  response.setHeader('Content-Type', type)
  response.end(body)
}

/** Only the running gallery knows its own address. */
function withOrigin(answer: SubmitAnswer | undefined, origin: string) {
  const own = answer?.return_url === NOWHERE
  return own ? { ...answer, return_url: origin + NOWHERE } : answer
}

function policy(css: string): string {
  const hash = createHash('sha256').update(css).digest('base64')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${hash}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function document(built: Built, scene: Scene): string {
  const { model } = scene
  const json = JSON.stringify(model).replaceAll('<', '\\u003c')
  const script =
    scene.script === false ? '' : `<script type="module" src="/${built.script}"></script>`
  return `<!doctype html><html lang="en" dir="${model.checkout.direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Gallery</title>
<link rel="icon" href="data:,"><style>${built.css}</style>${script}</head>
<body><div id="checkout">${built.render(model).body}</div>
<script type="application/json" id="page-model">${json}</script></body></html>`
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
