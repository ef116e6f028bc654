import { Hono } from 'hono'
import { challengePage, PAGE_HEADERS, errorPage } from './challenge-page.ts'
import type { Gateway } from './gateway.ts'
import type { Choice } from './scenarios.ts'
import { readTokenRequest } from './token-request.ts'

const BODY_BYTES_MAX = 65_536

export interface SandboxRoutesOptions {
  /** False without a TEST instance: the sandbox then rejects every request. */
  isOpen: () => Promise<boolean>
  /** Called for a card or account that is not a test number. */
  refusedReal: () => void
  /** Runs `work` by the clock of the operation's instance. */
  onClockOf: <R>(operation: string, work: () => Promise<R>) => Promise<R>
}

/** The gateway's HTTP API for `/sandbox`: `POST /tokens` for the browser, and the bank's page. */
export function sandboxRoutes(gateway: Gateway, surroundings: SandboxRoutesOptions): Hono {
  const routes = new Hono()

  // A server with real payments must not accept card numbers outside of its processors (PCI DSS).
  routes.use(async (c, next) => ((await surroundings.isOpen()) ? next() : c.notFound()))

  routes.post('/tokens', async (c) => {
    const refuse = (message: string, status: 400 | 413 = 400) =>
      c.json({ error: { type: 'INVALID_REQUEST', message } }, status)
    c.header('Cache-Control', 'no-store')
    if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
      return refuse('Content-Type must be application/json')
    }
    const text = await readText(c.req.raw)
    if (text === undefined) return refuse(`body must be at most ${BODY_BYTES_MAX} bytes`, 413)
    const json = readJson(text)
    if (json === undefined) return refuse('body must be JSON')
    const request = readTokenRequest(json.value, gateway.now())
    if ('problem' in request) {
      if (request.isReal) surroundings.refusedReal()
      return refuse(request.problem)
    }
    return c.json({ token: await gateway.createToken(request) })
  })

  routes.get('/challenges/:id', async (c) => {
    const operation = await gateway.findChallenge(c.req.param('id'))
    return operation === undefined
      ? c.html(NOT_FOUND, 404, PAGE_HEADERS)
      : c.html(challengePage(operation), 200, PAGE_HEADERS)
  })

  routes.post('/challenges/:id', async (c) => {
    const text = await readText(c.req.raw)
    const choice = new URLSearchParams(text ?? '').get('choice')
    if (!isChoice(choice)) return c.html(NO_CHOICE, 400, PAGE_HEADERS)
    const operation = await gateway.findChallenge(c.req.param('id'))
    const returnUrl =
      operation &&
      (await surroundings.onClockOf(operation.operation, () =>
        gateway.choose(c.req.param('id'), choice),
      ))
    if (returnUrl === undefined) return c.html(NOT_FOUND, 404, PAGE_HEADERS)
    return c.body(null, 303, { ...PAGE_HEADERS, Location: returnUrl })
  })

  return routes
}

const NOT_FOUND = errorPage('Page not found', 'There is no payment to confirm at this address.')
const NO_CHOICE = errorPage('No choice made', 'Go back and choose Approve or Decline.')

function isChoice(text: string | null): text is Choice {
  return text === 'approve' || text === 'decline'
}

/**
 * Returns undefined for a body that is too long, counted in bytes read. The stream stays open, because
 * canceling it would close the connection before the response.
 */
async function readText(request: Request): Promise<string | undefined> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      bytes += next.value.byteLength
      if (bytes > BODY_BYTES_MAX) return undefined
      chunks.push(next.value)
    }
  } catch {
    // The client has disconnected.
    return ''
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Wraps the value, so that a body of `null` differs from invalid JSON. */
function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
