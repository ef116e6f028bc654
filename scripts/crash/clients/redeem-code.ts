import { basic } from '../../../test/client.ts'
import { newBrowser } from '../../../test/oauth.ts'
import type { Client, CrashRun } from '../crash-run.ts'
import { ADMIN, REDIRECT } from '../merchants.ts'

/** A platform whose merchant approves it, and which redeems its codes more often than it may. */

/** What a browser shows when the server does not respond. */
const NO_PAGE = { status: 0, headers: new Headers(), text: '', json: undefined }

/** Signs the merchant's user in; the cookie serves for the whole run. */
export async function signIn(lab: CrashRun, client: Client): Promise<void> {
  lab.browser = newBrowser({
    call: async (path, call) =>
      (await client.send({ op: 'browse', path, isOpen: true, ...call })) ?? NO_PAGE,
  })
  const page = await lab.browser.get('/sign-in')
  await lab.browser.send('/sign-in', page, ADMIN)
}

/** Gets a code and redeems it once or, as a thief would, several times at once. */
export async function redeemCode(lab: CrashRun, client: Client): Promise<void> {
  const code = await askForCode(lab)
  if (code === undefined) return
  const { clientId, clientSecret } = lab.platform
  const redeem = () =>
    client.send({
      op: 'code.redeem',
      path: '/oauth/token',
      isOpen: true,
      headers: {
        authorization: basic(`${clientId}:${clientSecret}`),
        'content-type': 'application/x-www-form-urlencoded',
      },
      raw: `grant_type=authorization_code&code=${code}&redirect_url=${encodeURIComponent(REDIRECT)}`,
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
async function askForCode({ browser, platform }: CrashRun): Promise<string | undefined> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: platform.clientId,
    redirect_url: REDIRECT,
    state: 's',
  })
  const path = `/oauth/authorize?${query.toString()}`
  const page = await browser?.get(path)
  if (page?.status !== 200) return undefined
  const approval = await browser?.send(path, page, { decision: 'approve' })
  const location = approval?.headers.get('location')
  if (!location?.startsWith(REDIRECT)) return undefined
  return new URL(location).searchParams.get('code') ?? undefined
}
