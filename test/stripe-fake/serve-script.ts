import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'

/** Where browsers load the stand-in for Stripe.js. */
export interface ScriptServer {
  /** URL of the script, of another origin than pages. */
  scriptUrl: string
  close: () => void
}

const FIELD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Field</title>
<style>
  html, body { margin: 0; background: transparent }
  input { box-sizing: border-box; width: 100%; height: 24px; padding: 0; border: 0; outline: 0;
    background: transparent; font: 16px sans-serif }
</style>
<input inputmode="numeric"><script type="module" src="/field.js"></script></html>`

const script = (name: string) =>
  stripTypeScriptTypes(readFileSync(new URL(`script/${name}.ts`, import.meta.url), 'utf8'))

/** Serves the stand-in. Its fields call the API at `apiUrl` through this server, as of one origin. */
export async function serveStripeScript(apiUrl: string, port = 0): Promise<ScriptServer> {
  const files: Record<string, [type: string, text: string]> = {
    // Pages may load it twice.
    '/stripe.js': ['text/javascript', `{${script('stripe')}}`],
    '/field.js': ['text/javascript', script('field')],
    '/field.html': ['text/html', FIELD],
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const [type, text] = files[url] ?? []
    if (type !== undefined) {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` })
      return void response.end(text)
    }
    if (method !== 'POST' || !url.startsWith('/v1/')) return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { authorization = '' } = request.headers
    const body = Buffer.concat(chunks).toString('utf8')
    const answer = await fetch(apiUrl + url, { method, headers: { authorization }, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: opened } = server.address() as AddressInfo
  return {
    // Another site than 127.0.0.1, where servers under test have their pages.
    scriptUrl: `http://localhost:${opened}/stripe.js`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
