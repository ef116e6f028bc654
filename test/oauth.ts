import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ConsoleBoot } from '../shared/console-boot.ts'
import { hashPassword } from '../server/auth/passwords.ts'
import { inTransaction } from '../server/db/transaction.ts'
import type { User } from '../server/db/tables/users.ts'
import { createClient, type NewClient } from '../server/oauth/clients.ts'
import { addUser } from '../server/users/create.ts'
import { updateUser } from '../server/users/store.ts'
import { type ApiResponse, BASE, basic, type Call, type Merchant, type TestApp } from './app.ts'

/** A merchant's browser and a platform's server, as the tests of signing in and of OAuth use them. */

export const REDIRECT = 'https://platform.example/callback?tenant=7'
export const PASSWORD = 'correct horse battery'

/** Keeps cookies as a browser does, and follows no redirect by itself. */
export interface Browser {
  cookies: Map<string, string>
  get: (path: string, headers?: Record<string, string>) => Promise<ApiResponse>
  /** Sends the form of a page, with the hidden fields that the page has. */
  send: (path: string, page: ApiResponse, fields?: Record<string, string>) => Promise<ApiResponse>
  /** Opens a page and sends its form. */
  submit: (path: string, fields?: Record<string, string>) => Promise<ApiResponse>
  post: (path: string, fields: Record<string, string>, call?: Call) => Promise<ApiResponse>
}

export function newBrowser(app: Pick<TestApp, 'call'>): Browser {
  const cookies = new Map<string, string>()
  const call = async (path: string, { headers, ...rest }: Call) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.call(path, {
      ...rest,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return response
  }
  const post: Browser['post'] = (path, fields, rest) => call(path, formCall(fields, rest))
  const get: Browser['get'] = (path, headers = {}) => call(path, { headers })
  const send: Browser['send'] = (path, page, fields = {}) =>
    post(path, { ...hiddenFields(page), ...fields })
  const submit: Browser['submit'] = async (path, fields) => send(path, await get(path), fields)
  return { cookies, get, send, submit, post }
}

/** Returns a call that sends a form; `call` overrides members. */
export function formCall(fields: Record<string, string>, call: Call = {}): Call {
  return {
    method: 'POST',
    raw: new URLSearchParams(fields).toString(),
    ...call,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...call.headers },
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const equals = pair.indexOf('=')
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, value)
}

/** What the page's own form carries, which is the first form of the page. */
export function hiddenFields({ text }: Pick<ApiResponse, 'text'>): Record<string, string> {
  const form = text.slice(text.indexOf('<form'), text.indexOf('</form>'))
  const hidden = form.matchAll(/type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)
  return Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
}

/** Where an answer sends the browser: our own addresses as paths, others whole. */
export function locationOf(answer: ApiResponse): string {
  expect(answer.status, answer.text).toBe(303)
  const location = answer.headers.get('location') ?? ''
  return location.startsWith(BASE) ? location.slice(BASE.length) : location
}

/** A merchant with a user. */
export async function newUser(
  app: TestApp,
  wanted: Parameters<TestApp['newMerchant']>[0] = {},
): Promise<{ merchant: Merchant; email: string }> {
  const email = `ada-${randomUUID()}@shop.example`
  const merchant = await app.newMerchant({ ...wanted, user: { email, password: PASSWORD } })
  return { merchant, email }
}

let passwordHash: Promise<string> | undefined

/** Adds a user to a merchant, with the same password. Returns the row. */
export async function newColleague(
  app: TestApp,
  { instance }: Pick<Merchant, 'instance'>,
  wanted: Partial<Pick<User, 'role' | 'instances' | 'languages'>> = {},
): Promise<User> {
  const { deps } = app.checkstand
  passwordHash ??= hashPassword(PASSWORD)
  const hash = await passwordHash
  return inTransaction(deps.db, async (tx) => {
    const user = await addUser(tx, instance.merchant_id, {
      email: `grace-${randomUUID()}@shop.example`,
      passwordHash: hash,
      now: app.now(),
    })
    return updateUser(tx, user, wanted)
  })
}

/** Signs in at a page that asked for it, and answers where that leads. */
export async function signIn(browser: Browser, path: string, email: string): Promise<string> {
  return locationOf(await browser.submit(path, { email, password: PASSWORD }))
}

/** Returns the browser of a user who signed in. */
export async function signedInBrowser(app: TestApp, email: string): Promise<Browser> {
  const browser = newBrowser(app)
  await signIn(browser, '/sign-in', email)
  return browser
}

/** What a browser sends when a person opens an address. */
export const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

/** Returns what the page of the console gets with its document, undefined for a browser without a session. */
export async function openConsole(
  browser: Browser,
  path = '/console',
): Promise<ConsoleBoot | undefined> {
  const { status, text } = await browser.get(path, NAVIGATION)
  const json = /<script type="application\/json" id="boot">([^<]*)<\/script>/.exec(text)?.[1]
  return status === 200 && json !== undefined ? (JSON.parse(json) as ConsoleBoot) : undefined
}

/** Signs out by the console's form. */
export async function signOut(browser: Browser): Promise<ApiResponse> {
  const boot = await openConsole(browser)
  return browser.post(boot?.signOut.action ?? '', { token: boot?.signOut.token ?? '' })
}

export interface Platform {
  id: string
  secret: string
  /** The path of an authorisation request; a parameter of undefined is left out. */
  request: (parameters?: Record<string, string | undefined>) => string
  token: (fields: Record<string, string>, call?: Call) => Promise<ApiResponse>
  revoke: (fields: Record<string, string>, call?: Call) => Promise<ApiResponse>
  /** The exchange of a code as a platform does it. */
  exchange: (code: string, more?: Record<string, string>) => Promise<ApiResponse>
  refresh: (refreshToken: string, more?: Record<string, string>) => Promise<ApiResponse>
}

export async function newPlatform(
  app: TestApp,
  wanted: Partial<NewClient> = {},
): Promise<Platform> {
  const redirectUrls = wanted.redirectUrls ?? [REDIRECT]
  const created = await createClient(app.checkstand.deps, {
    name: 'Ledgerly',
    redirectUrls,
    ...wanted,
  })
  const { clientId: id, clientSecret: secret = '' } = created
  const form =
    (path: string) =>
    (fields: Record<string, string>, call: Call = {}) =>
      app.call(
        path,
        formCall(fields, {
          ...call,
          headers: { authorization: basic(`${id}:${secret}`), ...call.headers },
        }),
      )
  const token = form('/oauth/token')
  const redirect_url = redirectUrls[0] ?? ''
  return {
    id,
    secret,
    token,
    revoke: form('/oauth/revoke'),
    request: (parameters = {}) => {
      const all = { response_type: 'code', client_id: id, redirect_url, state: 's', ...parameters }
      const defined = Object.entries(all).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      return `/oauth/authorize?${new URLSearchParams(defined).toString()}`
    },
    exchange: (code, more = {}) =>
      token({ grant_type: 'authorization_code', code, redirect_url, ...more }),
    refresh: (refresh_token, more = {}) =>
      token({ grant_type: 'refresh_token', refresh_token, ...more }),
  }
}

/** Goes through sign-in and consent, and answers the parameters that the platform gets. */
export async function approve(
  app: TestApp,
  email: string,
  path: string,
  fields: Record<string, string> = {},
): Promise<URLSearchParams> {
  const browser = await signedInBrowser(app, email)
  const response = await browser.submit(path, { decision: 'approve', ...fields })
  return new URL(locationOf(response)).searchParams
}

/** A code for a merchant's instance. */
export async function newCode(
  app: TestApp,
  email: string,
  platform: Platform,
  parameters: Record<string, string> = {},
): Promise<string> {
  const response = await approve(app, email, platform.request(parameters))
  return response.get('code') ?? ''
}

export interface Tokens {
  access_token: string
  refresh_token: string
}

/** The tokens of a new grant. */
export async function newTokens(
  app: TestApp,
  email: string,
  platform: Platform,
  parameters: Record<string, string> = {},
): Promise<Tokens> {
  const response = await platform.exchange(await newCode(app, email, platform, parameters))
  expect(response.status, response.text).toBe(200)
  return response.json as Tokens
}

/** Calls the API with a token. */
export function withToken(app: TestApp, token: string) {
  return (path: string, { headers, ...call }: Call = {}) =>
    app.call(`/c/api${path}`, {
      ...call,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
}

/** Returns whether a token opens the API. */
export async function opens(app: TestApp, { access_token }: Pick<Tokens, 'access_token'>) {
  return (await withToken(app, access_token)('/accounts')).status === 200
}

/** Sets how many requests a limit has counted in the current minute. */
export async function setCount(
  { checkstand }: TestApp,
  name: string,
  key: string,
  count: number,
): Promise<void> {
  const updated = await checkstand.deps.db
    .updateTable('limit_counters')
    .set({ count })
    .where('name', '=', name)
    .where('key', '=', key)
    .returning('name')
    .execute()
  expect(updated).toHaveLength(1)
}
