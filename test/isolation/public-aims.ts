import type { Call } from '../app.ts'
import type { Aim } from './answers.ts'
import type { Names } from './names.ts'
import type { PayerAims } from './payer-aims.ts'

/**
 * How operations that are about no merchant's records are aimed at them: with the names of records
 * wherever a name can stand. What opens something here are secrets of their own, and no name is one.
 */

/** All names in one text. */
const everything = (n: Names) => Object.values(n).join(' ')
/** Ids tried as a code, a token or a challenge. */
const ids = (n: Names) => [n.account, n.openLink, n.checkout, n.attempt, n.transaction, n.webhook]

const form = (fields: Record<string, string>): Call => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  raw: new URLSearchParams(fields).toString(),
})
const blind = (path: string, status: number, call: Call = {}): Aim => ({
  path,
  status,
  blind: true,
  ...call,
})
const query = (n: Names) => new URLSearchParams({ return: `/pay/${n.openLink}`, lang: n.account })

const ONE_CLICK = form({ 'List-Unsubscribe': 'One-Click' })
/** Ids with a signature that another server could have made. */
const forgedTokens = (n: Names) =>
  [n.account, `${n.account}_${'0'.repeat(32)}`, `${n.account}_${n.payerSecret}`].map(
    (token) => `/unsubscribe/${encodeURIComponent(token)}`,
  )

export const PUBLIC_AIMS: Record<string, PayerAims> = {
  'POST /oauth/token': (n) =>
    ids(n).map((id) =>
      blind(
        '/oauth/token',
        401,
        form({ grant_type: 'refresh_token', refresh_token: id, client_id: id, client_secret: id }),
      ),
    ),
  'POST /oauth/revoke': (n) =>
    ids(n).map((id) => blind('/oauth/revoke', 401, form({ token: id, client_id: id }))),
  'GET /oauth/authorize': (n) =>
    ids(n).map((id) => blind(`/oauth/authorize?client_id=${id}&instance=${n.instanceKey}`, 400)),
  'POST /oauth/authorize': (n) =>
    ids(n).map((id) =>
      blind(
        `/oauth/authorize?client_id=${id}`,
        400,
        form({ token: id, decision: 'approve', instance: n.instanceKey }),
      ),
    ),
  'GET /': (n) => [blind(`/?${query(n).toString()}`, 200)],
  'GET /docs': () => [blind('/docs', 200)],
  'GET /console': () => [blind('/console', 403)],
  'GET /sign-in': () => [blind('/sign-in', 200)],
  'POST /sign-in': (n) => [
    blind(
      `/sign-in?${query(n).toString()}`,
      403,
      form({ token: n.payerSecret, email: n.payerSecret, password: n.payerSecret }),
    ),
  ],
  'GET /sign-in/code': () => [blind('/sign-in/code', 303)],
  'POST /sign-in/code': (n) => [blind('/sign-in/code', 303, form({ code: n.payerSecret }))],
  'POST /sign-out': (n) => [blind('/sign-out', 303, form({ token: n.payerSecret }))],
  'GET /sign-in/first/{token}': (n) => ids(n).map((id) => blind(`/sign-in/first/${id}`, 410)),
  'POST /sign-in/first/{token}': (n) =>
    ids(n).map((id) => blind(`/sign-in/first/${id}`, 410, form({ email: n.payerKey }))),
  'GET /sign-in/invitation/{token}': (n) =>
    ids(n).map((id) => blind(`/sign-in/invitation/${id}`, 410)),
  'POST /sign-in/invitation/{token}': (n) =>
    ids(n).map((id) => blind(`/sign-in/invitation/${id}`, 410, form({ password: 'x' }))),
  'POST /processors/{name}/webhooks/{id}': (n) =>
    ids(n).map((id) => blind(`/processors/stripe/webhooks/${id}`, 404, { body: { id } })),
  'GET /unsubscribe/{token}': (n) => forgedTokens(n).map((path) => blind(path, 404)),
  'POST /unsubscribe/{token}': (n) => forgedTokens(n).map((path) => blind(path, 404, ONE_CLICK)),
  'POST /unsubscribe/{token}/resume': (n) =>
    forgedTokens(n).map((path) => blind(`${path}/resume`, 404, form({}))),
  // Probes take nothing that could be a name.
  'GET /livez': () => [],
  'GET /readyz': () => [],
  'GET /openapi.json': (n) => [blind(`/openapi.json?${query(n).toString()}`, 200)],
  'POST /sandbox/tokens': (n) => [
    blind('/sandbox/tokens', 400, {
      body: { bank_account: { iban: n.method, holder: everything(n).slice(0, 100) } },
    }),
  ],
  'GET /sandbox/challenges/{id}': (n) =>
    ids(n).map((id) => blind(`/sandbox/challenges/${id}`, 404)),
  'POST /sandbox/challenges/{id}': (n) =>
    ids(n).map((id) => blind(`/sandbox/challenges/${id}`, 404, form({ choice: 'approve' }))),
}
