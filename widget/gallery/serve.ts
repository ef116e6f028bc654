import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadPage, loadTaskPage, type PageRenderer } from '../../server/pay-page/document.ts'
import { pagePolicy } from '../../server/http/security.ts'
import type { SubmitResponse } from '../../shared/page-model.ts'
import { serveStripeScript } from '../../test/stripe-fake/serve-script.ts'
import { NO_CONTENT_PATH, type ErrorResponse, type Scene } from './scene.ts'

/** Serves scenes on a loopback port, with the built page and the security policy of the server. */

const DIST = new URL('../../dist/', import.meta.url)

export interface Gallery {
  /** The URL of the scene's page, or of the merchant's page that embeds it. */
  url: string
  /** Sets the scene of `url`. */
  show: (scene: Scene) => void
  close: () => Promise<void>
}

/** Starts a server that shows one scene at a time. */
export async function serveGallery(): Promise<Gallery> {
  const renderer = await loadPage(DIST)
  const taskRenderer = await loadTaskPage(DIST)
  // Nothing in a picture calls the API.
  const stripe = await serveStripeScript('http://127.0.0.1:9')
  const widget = await readFile(new URL('embed/script/widget.js', DIST))
  let shown: Scene | undefined
  let submitted = false
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (!shown) response.writeHead(404).end()
    else if (path === '/widget.js') send(response, 'text/javascript', widget)
    else if (path === '/logo.svg') send(response, 'image/svg+xml', LOGO)
    else if (path === '/shop')
      send(response, 'text/html; charset=utf-8', merchantPage(shown, origin()))
    else if (path === NO_CONTENT_PATH) response.writeHead(204).end()
    else if (path.startsWith('/assets/')) void sendAsset(path, response, shown)
    else if (request.method === 'GET' && path === pathOf(shown)) {
      sendPage(renderer, response, withStripe(shown, stripe.scriptUrl), origin())
    } else if (request.method === 'GET' && path === '/go/dl_gallery') {
      sendPage(taskRenderer, response, withStripe(shown, stripe.scriptUrl), origin())
    } else {
      request.resume()
      submitted ||= path.endsWith('/submit')
      respondToApi(path, response, shown, { origin: origin(), submitted })
    }
  })
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    get url() {
      // The embed script requires another origin than the page's.
      const shopUrl = `${origin().replace('127.0.0.1', 'localhost')}/shop`
      if (shown?.task) return `${origin()}/go/dl_gallery`
      return shown?.framed ? shopUrl : origin() + pathOf(shown)
    },
    show: (scene) => {
      shown = scene
      submitted = false
    },
    async close() {
      stripe.close()
      await closeServer(server)
    },
  }
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><circle cx="16" cy="16" r="16" ' +
  'fill="#d7263d"/><path d="M8 22 16 8l8 14z" fill="#fff"/><path d="M42 10h70v4H42zm0 9h48v4H42z" ' +
  'fill="#d7263d"/></svg>'

/** Returns the path of the page. */
function pathOf(scene: Scene | undefined): string {
  return scene?.model.sessions?.replace(/\/checkouts.*$/, '') ?? '/pay/none'
}

/** Returns the scene with a connected Stripe, if it has one. */
function withStripe(scene: Scene, scriptUrl: string): Scene {
  if (!scene.stripe) return scene
  const script = scene.stripe === 'SHOWN' ? scriptUrl : scriptUrl.replace('.js', '-missing.js')
  const processors = { pr_gallery: { name: 'stripe', key: 'pk_test_gallery', script } }
  return { ...scene, model: { ...scene.model, processors } }
}

function sendPage(renderer: PageRenderer, response: ServerResponse, scene: Scene, origin: string) {
  const { css = '', framed } = scene
  const ancestors = framed ? [origin.replace('127.0.0.1', 'localhost')] : []
  const scripts = Object.values(scene.model.processors ?? {}).map(({ script }) => script)
  const { html, styleHash, mapHash } = renderer(
    { ...scene.model, embed_origins: ancestors },
    { url: null, description: null, css, ...(framed ? { framed: '' } : {}) },
  )
  const policies = scripts.map((script) => {
    const origins = [new URL(script).origin]
    return { 'script-src': origins, 'connect-src': origins, 'frame-src': origins }
  })
  response.setHeader(
    'Content-Security-Policy',
    pagePolicy(styleHash, null, ancestors, mapHash, policies),
  )
  send(response, 'text/html; charset=utf-8', html)
}

async function sendAsset(path: string, response: ServerResponse, scene: Scene): Promise<void> {
  try {
    if (scene.script === 'MISSING') throw new Error('this scene has no script')
    const folder = scene.task ? 'task' : 'page'
    send(response, 'text/javascript', await readFile(new URL(`${folder}${path}`, DIST)))
  } catch {
    response.writeHead(404).end()
  }
}

/** A merchant's page with styles of its own. */
function merchantPage(scene: Scene, origin: string): string {
  const link = origin + pathOf(scene)
  const place =
    scene.framed === 'overlay'
      ? `<a class="buy" href="${link}" data-checkstand="overlay">Buy</a>`
      : `<checkstand-checkout link="${link}"></checkstand-checkout>`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Roastery</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root { color-scheme: light dark } main { max-width: 44rem; margin: auto; padding: 1rem }
body { margin: 0; font: 1.0625rem/1.6 Georgia, serif; background: light-dark(#fbf6ee, #221c15) }
</style><script src="${origin}/widget.js" async></script>
<main><h1>Roastery</h1><p>Two bags of espresso roast, ground for a moka pot.</p>${place}
<p>Ready in three days.</p></main></html>`
}

function respondToApi(
  path: string,
  response: ServerResponse,
  scene: Scene,
  { origin, submitted }: { origin: string; submitted: boolean },
): void {
  const json = (body: unknown) => send(response, 'application/json', JSON.stringify(body))
  const opened = { token: 'ckt_gallery', checkout: scene.model.checkout }
  const current = { checkout: (scene.current ?? scene.model).checkout }
  const { open, submit, task } = scene
  if (path === '/sandbox/tokens') json({ token: 'tok_gallery' })
  else if (path.endsWith('/sessions')) respondToTask(response, task?.opened, (opened) => opened)
  else if (path.endsWith('/contract')) respondToTask(response, task?.changed, (task) => ({ task }))
  else if (path.startsWith('/go/sessions'))
    respondToTask(response, task?.saved, (task) => ({ task }))
  else if (path.endsWith('/submit')) {
    if (submit === 'LOST') response.destroy()
    else if (isErrorResponse(submit)) sendError(response, submit)
    else if (submit !== 'NEVER') json(withAbsoluteUrls(submit, origin))
  } else if (/\/current(\?|$)/.test(path)) {
    if ((submit === 'LOST' && submitted) || scene.poll === 'LOST') response.destroy()
    else json(current)
  } else if (open === 'LOST') response.destroy()
  else json(opened)
}

function respondToTask<T>(
  response: ServerResponse,
  answer: T | ErrorResponse | 'NEVER' | 'LOST' | undefined,
  body: (answer: T) => unknown,
): void {
  if (answer === 'LOST') response.destroy()
  else if (isErrorResponse(answer)) sendError(response, answer)
  else if (answer !== 'NEVER') send(response, 'application/json', JSON.stringify(body(answer as T)))
}

function isErrorResponse(response: unknown): response is ErrorResponse {
  return typeof response === 'object' && response !== null && 'errorStatus' in response
}

function sendError(response: ServerResponse, { errorStatus, headers = {} }: ErrorResponse): void {
  response.writeHead(errorStatus, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: { type: 'REFUSED', message: 'Refused' } }))
}

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.setHeader('Content-Type', type)
  response.end(body)
}

/** Makes the paths of a response absolute. */
function withAbsoluteUrls(response: SubmitResponse | undefined, origin: string) {
  const { return_url, action } = response ?? {}
  return {
    ...response,
    ...(return_url === NO_CONTENT_PATH ? { return_url: origin + NO_CONTENT_PATH } : {}),
    ...(action?.url === NO_CONTENT_PATH
      ? { action: { ...action, url: origin + NO_CONTENT_PATH } }
      : {}),
  }
}

function closeServer(server: Server<typeof IncomingMessage>): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
