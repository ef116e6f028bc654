import { randomUUID } from 'node:crypto'
import type { Request } from 'autocannon'
import { CARDS } from '../../test/cards.ts'
import { createHttpClient } from '../../test/client.ts'
import { newLink } from '../../test/payer-client.ts'
import { API, AUTHORIZATION } from './merchant.ts'

/** What a client does over and over in the load bench. */

/**
 * The process is asked whether it lives; a link is made, read, opened as a page, opened as a session, or
 * paid from its making on.
 */
export type Kind = 'livez' | 'create' | 'read' | 'page' | 'session' | 'payment'

/** One request that is sent over and over, to each path in turn. */
export interface Shot {
  method: 'GET' | 'POST'
  paths: readonly string[]
  headers: Readonly<Record<string, string>>
  body?: string
}

const LINKS = 200
const LINK = {
  options: { amount: '24.00', currency: 'EUR', name: 'Two bags of coffee', alt_key: 'order-1' },
  state: { cart: 'c_1001' },
}
const CARD = JSON.stringify({
  card: { number: CARDS.approve, exp_month: 12, exp_year: 2099, csc: '123' },
})

const JSON_TYPE = { 'content-type': 'application/json' }
const MERCHANT = { authorization: AUTHORIZATION }
const CREATE = {
  method: 'POST',
  headers: { ...JSON_TYPE, ...MERCHANT },
  body: JSON.stringify({ payment_link: LINK }),
} as const

/** Returns the request of a kind to the server at `origin`, and makes the links that it needs. */
export async function shotOf(kind: Exclude<Kind, 'payment'>, origin: string): Promise<Shot> {
  if (kind === 'livez') return { method: 'GET', headers: {}, paths: ['/livez'] }
  if (kind === 'create') return { ...CREATE, paths: [`${API}/payment_links`] }
  const links = await makeLinks(origin)
  if (kind === 'read') {
    const paths = links.map((link) => `${API}/payment_links/${link}`)
    return { method: 'GET', headers: MERCHANT, paths }
  }
  if (kind === 'page') {
    return { method: 'GET', headers: {}, paths: links.map((link) => `/pay/${link}`) }
  }
  const paths = links.map((link) => `/pay/${link}/checkouts`)
  return { method: 'POST', headers: JSON_TYPE, body: '{}', paths }
}

/** A link is made and paid: four requests, one after another on each connection. */
export function paymentRequests(refuse: () => void): Request[] {
  const seen = (status: number) => {
    if (status !== 200) refuse()
  }
  return [
    {
      ...CREATE,
      path: `${API}/payment_links`,
      onResponse(status, body, context) {
        seen(status)
        Object.assign(context, { link: JSON.parse(body).payment_link.id })
      },
    },
    {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{}',
      setupRequest: (request, context) => ({
        ...request,
        path: `/pay/${(context as Told).link}/checkouts`,
      }),
      onResponse(status, body, context) {
        seen(status)
        const { token, checkout } = JSON.parse(body)
        Object.assign(context, { session: token, options_v: checkout.options_v })
      },
    },
    {
      method: 'POST',
      path: '/sandbox/tokens',
      headers: JSON_TYPE,
      body: CARD,
      onResponse(status, body, context) {
        seen(status)
        Object.assign(context, { card: JSON.parse(body).token })
      },
    },
    {
      method: 'POST',
      path: '/pay/checkouts/current/submit',
      setupRequest(request, context) {
        const { session, card, options_v } = context as Told
        return {
          ...request,
          headers: { ...JSON_TYPE, authorization: `Bearer ${session}` },
          body: JSON.stringify({
            attempt_key: randomUUID(),
            options_v,
            payment_method: { type: 'CARD', processor: 'sandbox', token: card },
          }),
        }
      },
      onResponse(status, body) {
        seen(status)
        if (JSON.parse(body).outcome !== 'COMPLETED') refuse()
      },
    },
  ]
}

/** The ids and token that one connection received during a payment. */
interface Told {
  link: string
  session: string
  options_v: number
  card: string
}

const linksByOrigin = new Map<string, Promise<string[]>>()

function makeLinks(origin: string): Promise<string[]> {
  const links = linksByOrigin.get(origin) ?? makeNew(origin)
  linksByOrigin.set(origin, links)
  return links
}

async function makeNew(origin: string): Promise<string[]> {
  const { api } = createHttpClient(origin)
  const ids: string[] = []
  for (let n = 0; n < LINKS; n += 1)
    ids.push((await newLink({ api }, LINK.options, { state: LINK.state })).id)
  return ids
}
