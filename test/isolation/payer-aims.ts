import { randomUUID } from 'node:crypto'
import type { Call, TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { cardToken, openPayerClient } from '../payer-client.ts'
import type { Aim } from './answers.ts'
import { type Names, payerToken } from './names.ts'

/**
 * How the payer's routes are aimed at another tenant's sessions, methods and ids. The address of a
 * link is a bearer credential, and so is the handle by which a bank sends a payer back: only a caller
 * who has them may open what they name.
 */
export type PayerAims = (their: Names, own: Names, app: TestApp) => Aim[] | Promise<Aim[]>

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
/** Ids that exist but are neither links nor handles. */
const otherIds = (n: Names) => [n.checkout, n.account, n.sale, n.attempt, n.transaction]
/** One tenant's session with another's secret. */
const crossed = (n: Names, own: Names) => [
  payerToken({ ...n, payerSecret: own.payerSecret }),
  payerToken({ ...own, payerSecret: n.payerSecret }),
]

const strangers = (n: Names, path: (id: string) => string, call: Call): Aim[] =>
  otherIds(n).map((id) => ({ path: path(id), status: 404, blind: true, ...call }))

const returns =
  (method: string, of = 'checkouts') =>
  (n: Names) =>
    strangers(n, (id) => `/pay/${of}/${id}/return`, { method })

/** One tenant's session of a task with another's secret. */
const aimsAtTask = (n: Names, own: Names, path: string, body: object | undefined): Aim[] => [
  {
    path: `/go/sessions/current${path}`,
    ...bearer(`dst_${n.taskSession}_${own.taskSecret}`),
    ...(body && { body }),
    status: 401,
  },
]

export const PAYER_AIMS: Record<string, PayerAims> = {
  'GET /pay/{id}': (n, own) => [
    ...strangers(n, (id) => `/pay/${id}`, {}),
    { path: `/pay/${own.paidLink}?ck=${n.paidHandle}`, status: 200 },
    { path: `/pay/${own.openLink}?ck=${n.declinedHandle}`, status: 200 },
    { path: `/pay/${own.openLink}`, ...bearer(payerToken(n)), status: 200, blind: true },
  ],
  'GET /pay/{id}/qr.svg': (n) => strangers(n, (id) => `/pay/${id}/qr.svg`, {}),
  'POST /pay/{id}/checkouts': (n, own) => {
    const path = `/pay/${own.openLink}/checkouts`
    return [
      ...strangers(n, (id) => `/pay/${id}/checkouts`, { body: {} }),
      { path, body: { branding: n.branding }, status: 400 },
      { path, body: { embedded_origin: n.origin }, status: 400 },
      { path, body: {}, ...bearer(payerToken(n)), status: 200, blind: true },
    ]
  },
  // Links to a task of an account have no payment page.
  'GET /go/{id}': (n, own) => [
    ...strangers(n, (id) => `/go/${id}`, {}),
    { path: `/go/${own.slug}`, ...bearer(payerToken(n)), status: 200, blind: true },
  ],
  'GET /go/{id}/qr.svg': (n) => strangers(n, (id) => `/go/${id}/qr.svg`, {}),
  'POST /go/{id}/checkouts': (n, own) => {
    const path = `/go/${own.slug}/checkouts`
    return [
      ...strangers(n, (id) => `/go/${id}/checkouts`, { body: {} }),
      { path, body: { branding: n.branding }, status: 400 },
      { path, body: {}, ...bearer(payerToken(n)), status: 200, blind: true },
    ]
  },
  'GET /pay/checkouts/current': (n, own) =>
    crossed(n, own).map((token) => ({
      path: '/pay/checkouts/current',
      ...bearer(token),
      status: 401,
    })),
  'POST /pay/checkouts/current/submit': async (n, own, app) => {
    const send = (token: string, more: object, status: number): Aim => ({
      path: '/pay/checkouts/current/submit',
      ...bearer(token),
      body: { attempt_key: randomUUID(), options_v: 1, ...more },
      status,
    })
    const stored = { payment_method: { id: n.method, csc: '123' } }
    const declined = async () => ({
      payment_method: {
        type: 'CARD',
        processor: 'sandbox',
        token: await cardToken(app, CARDS.decline),
      },
    })
    const fresh = async () => (await openPayerClient(app, own.openLink)).token
    return [
      ...crossed(n, own).map((token) => send(token, stored, 401)),
      send((await openPayerClient(app, own.savedLink)).token, stored, 400),
      // One attempt is one within its session, whatever others call theirs.
      {
        ...send(await fresh(), { ...(await declined()), attempt_key: n.attemptKey }, 200),
        blind: true,
      },
      { ...send(await fresh(), { ...(await declined()), alt_key: n.typedKey }, 200), blind: true },
    ]
  },
  'DELETE /pay/checkouts/current/payment_methods/{id}': async (n, own, app) => {
    const aim = (token: string, status: number): Aim => ({
      method: 'DELETE',
      path: `/pay/checkouts/current/payment_methods/${n.spareMethod}`,
      ...bearer(token),
      status,
    })
    const { token: saved } = await openPayerClient(app, own.savedLink)
    return [...crossed(n, own).map((token) => aim(token, 401)), aim(saved, 404)]
  },
  'GET /pay/checkouts/{handle}/return': returns('GET'),
  'POST /pay/checkouts/{handle}/return': returns('POST'),
  'POST /go/{id}/sessions': (n) => [
    ...strangers(n, (id) => `/go/${id}/sessions`, { body: {} }),
    {
      path: `/go/${n.taskLink}/sessions`,
      body: { token: n.payerSecret },
      status: 404,
      blind: true,
    },
  ],
  'GET /go/sessions/current': (n, own) => aimsAtTask(n, own, '', undefined),
  'POST /go/sessions/current/payment_method': (n, own) =>
    aimsAtTask(n, own, '/payment_method', {
      attempt_key: randomUUID(),
      payment_method: { type: 'CARD', processor: 'sandbox', token: 'tok_a' },
    }),
  'POST /go/sessions/current/contract': (n, own) =>
    aimsAtTask(n, own, '/contract', { change: 'CANCEL' }),
  'GET /pay/setups/{handle}/return': returns('GET', 'setups'),
  'POST /pay/setups/{handle}/return': returns('POST', 'setups'),
}
