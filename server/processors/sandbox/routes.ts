import { Hono } from 'hono'
import { challengePage, PAGE_HEADERS, problemPage } from './challenge-page.ts'
import type { Gateway } from './gateway.ts'
import type { Choice } from './scenarios.ts'
import { readTokenRequest } from './token-request.ts'

const BODY_BYTES_MAX = 65_536

/** What the server that the sandbox is part of knows and wants to know. */
export interface Surroundings {
  /** Whether there is a test instance, without which nothing here may be used. */
  isOpen: () => Promise<boolean>
  /** Somebody typed a card or account that is none of the sandbox's. */
  refusedReal: () => void
  /** Does work by the clock of whoever sent an operation. */
  onClockOf: <R>(operation: string, work: () => Promise<R>) => Promise<R>
}

/**
 * What the gateway answers over HTTP, to be mounted at `/sandbox`: `POST /tokens` for the browser
 * half, and the page where the payer confirms.
 */
export function sandboxRoutes(gateway: Gateway, surroundings: Surroundings): Hono {
  const routes = new Hono()

  // A server that takes real money has no place to type a card number that is not a processor's.
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

const NOT_FOUND = problemPage('Page not found', 'There is no payment to confirm at this address.')
const NO_CHOICE = problemPage('No choice made', 'Go back and choose Approve or Decline.')

function isChoice(text: string | null): text is Choice {
  return text === 'approve' || text === 'decline'
}

/**
 * The body as text, or undefined when it is too long; counted as it comes, never trusted. The rest
 * of a long one is left where it is: to end the stream would end the connection before the answer.
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
    // Whoever hung up meant nothing by what came, and hears no answer.
    return ''
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The parse wrapped, so that a body of `null` differs from one that is not JSON. */
function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
