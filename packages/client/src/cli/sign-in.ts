import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from './usage.ts'

/** Signing in as RFC 8252 describes it for programs: in the browser, with PKCE, answered on a loopback address. */

/** The tokens of a user who signed in. */
export interface Grant {
  token: string
  refreshToken: string
  /** When the token expires, as an instant of RFC 3339. */
  expires: string
}

/** Registered on every server; it has no secret. */
const CLIENT_ID = 'oc_cli'
/** Those of its registered addresses. */
const PORTS = [4400, 4401, 4402, 4403, 4404]
const ANSWER_MS = 5 * 60_000
const SOON_MS = 5 * 60_000

interface SignIn {
  /** Separated by spaces. */
  scope: string
  signal: AbortSignal
  /** Shows the address to a person. */
  ask: (url: string) => void
}

/** Returns the tokens once a user has signed in and approved. Throws an Error when they did not. */
export async function signIn(baseUrl: string, { scope, signal, ask }: SignIn): Promise<Grant> {
  const server = await openLoopback()
  const { port } = server.address() as AddressInfo
  const redirect = `http://127.0.0.1:${port}/callback`
  const [verifier, state] = [newSecret(), newSecret()]
  const url = new URL('/oauth/authorize', baseUrl)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirect,
    scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  try {
    const answer = codeOf(server, { state, redirect, signal })
    ask(url.href)
    const code = await answer
    return await exchange(baseUrl, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
    })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Returns new tokens. The refresh token is another one afterwards. Throws a UsageError when the sign-in has ended. */
export function refreshGrant(baseUrl: string, { refreshToken }: Grant): Promise<Grant> {
  return exchange(baseUrl, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

/** Ends a sign-in at the server. */
export async function revokeGrant(baseUrl: string, { refreshToken }: Grant): Promise<void> {
  await post(baseUrl, '/oauth/revoke', { token: refreshToken })
}

/** Whether a command that begins now could outlast the token. */
export function expiresSoon({ expires }: Grant): boolean {
  return Date.parse(expires) - Date.now() < SOON_MS
}

const newSecret = () => randomBytes(32).toString('base64url')

/** Listens on the first free port of those that are registered. */
async function openLoopback(): Promise<Server> {
  for (const port of PORTS) {
    const server = createServer()
    const isOpen = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isOpen) return server
  }
  throw new Error(`No port of ${PORTS[0]} to ${PORTS.at(-1)} is free; sign in with --key instead`)
}

/** Returns the code that the server sends with the browser. An answer with another state is not ours. */
function codeOf(
  server: Server,
  { state, redirect, signal }: { state: string; redirect: string; signal: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Nobody signed in within 5 minutes')), ANSWER_MS)
    const end = () => clearTimeout(late)
    signal.addEventListener('abort', () => {
      end()
      reject(new Error('The sign-in was ended'))
    })
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', redirect)
      const answered = url.searchParams
      if (url.pathname !== '/callback' || answered.get('state') !== state) {
        response.writeHead(404).end()
        return
      }
      const code = answered.get('code')
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end(
        code === null
          ? 'Not signed in. You can close this window.'
          : 'Signed in. You can close this window.',
        () => {
          end()
          if (code !== null) resolve(code)
          else reject(new Error(answered.get('error_description') ?? 'The sign-in was refused'))
        },
      )
    })
  })
}

interface TokenResponse {
  access_token: string
  refresh_token: string
  expires_in: number
}

async function exchange(baseUrl: string, fields: Record<string, string>): Promise<Grant> {
  const tokens = (await post(baseUrl, '/oauth/token', fields)) as TokenResponse
  return {
    token: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expires: new Date(Date.now() + tokens.expires_in * 1000).toISOString(),
  }
}

async function post(
  baseUrl: string,
  path: string,
  fields: Record<string, string>,
): Promise<object> {
  const response = await fetch(new URL(path, baseUrl), {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, ...fields }),
  })
  const answer = (await response.json()) as { error?: string; error_description?: string }
  if (response.ok) return answer
  if (answer.error === 'invalid_grant') {
    throw new UsageError(
      `The sign-in has ended: checkstand-client login ${new URL(baseUrl).origin}`,
    )
  }
  throw new Error(
    `${path} answered ${response.status}: ${answer.error_description ?? answer.error}`,
  )
}
