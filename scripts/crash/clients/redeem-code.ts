import type { ClientResponse, Client, CrashRun } from '../crash-run.ts'
import { basic } from '../servers.ts'
import { ADMIN, REDIRECT } from '../merchants.ts'

/** A platform whose merchant approves it, and which redeems its codes more often than it may. */

/** Signs the merchant's user in; the cookie serves for the whole run. */
export async function signIn(lab: CrashRun, client: Client): Promise<void> {
  const path = '/sign-in'
  const page = await visit(lab, client, { path })
  await visit(lab, client, { path, form: { ...hiddenFields(page?.json), ...ADMIN } })
}

/** Gets a code and redeems it once or, as a thief would, several times at once. */
export async function redeemCode(lab: CrashRun, client: Client): Promise<void> {
  const code = await askForCode(lab, client)
  if (code === undefined) return
  const { clientId, clientSecret } = lab.servers.platform()
  const redeem = () =>
    client.send({
      op: 'code.redeem',
      path: '/oauth/token',
      isOpen: true,
      headers: { authorization: basic(`${clientId}:${clientSecret}`) },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_url: REDIRECT,
      }),
      about: { code },
    })
  const times = client.random.chance(0.5) ? 3 : 1
  const answers = await Promise.all(Array.from({ length: times }, redeem))
  const tokens = answers.find((answer) => answer?.status === 200)
  if (!tokens) return
  await client.send({
    op: 'token.use',
    path: '/c/api/payments?limit=1',
    isOpen: true,
    headers: { authorization: `Bearer ${tokens.json.access_token}` },
    about: { code },
  })
}

/** Returns the code of the merchant's approval, or undefined without a response. */
async function askForCode(lab: CrashRun, client: Client): Promise<string | undefined> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: lab.servers.platform().clientId,
    redirect_url: REDIRECT,
    state: 's',
  })
  const path = `/oauth/authorize?${query.toString()}`
  const page = await visit(lab, client, { path })
  if (page?.status !== 200) return undefined
  const form = { ...hiddenFields(page.json), decision: 'approve' }
  const location = (await visit(lab, client, { path, form }))?.headers.get('location')
  if (!location?.startsWith(REDIRECT)) return undefined
  return new URL(location).searchParams.get('code') ?? undefined
}

/** As the browser in which the merchant's user is signed in. */
async function visit(
  { cookies }: CrashRun,
  client: Client,
  { path, form }: { path: string; form?: Record<string, string> },
): Promise<ClientResponse | undefined> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await client.send({
    op: 'browse',
    path,
    isOpen: true,
    headers: cookie === '' ? {} : { cookie },
    ...(form && { body: new URLSearchParams(form) }),
  })
  for (const line of response?.headers.getSetCookie() ?? []) {
    const [pair = ''] = line.split('; ')
    const equals = pair.indexOf('=')
    cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
  }
  return response
}

/** What the first form of a page carries unseen. */
function hiddenFields(page: unknown): Record<string, string> {
  const text = String(page)
  const form = text.slice(text.indexOf('<form'), text.indexOf('</form>'))
  const hidden = form.matchAll(/type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)
  return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]))
}
