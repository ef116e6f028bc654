import { randomUUID } from 'node:crypto'
import type { Request } from 'autocannon'
import { CARDS } from '../../test/cards.ts'
import { createHttpClient } from '../../test/client.ts'
import { newLink } from '../../test/payer-client.ts'
import { API, AUTHORIZATION } from './merchant.ts'

/** What a client does over and over in the load bench. */

/** A link is made, read, opened as a page, opened as a session, or paid from its making on. */
export type Kind = 'create' | 'read' | 'page' | 'session' | 'payment'

export interface Work {
  requests: Request[]
  /** How many requests make one of what is counted. */
  perUnit: number
  /** How many answers were not what they should be. */
  refused: () => number
}

const LINKS = 200
const LINK = {
  options: { amount: '24.00', currency: 'EUR', name: 'Two bags of coffee', alt_key: 'order-1' },
  state: { cart: 'c_1001' },
}
const CARD = JSON.stringify({
  card: { number: CARDS.approve, exp_month: 12, exp_year: 2099, csc: '123' },
})

/** The requests of a kind to the server at `origin`, and the links that they need. */
export async function newWork(kind: Kind, origin: string): Promise<Work> {
  let refused = 0
  const seen = (status: number) => {
    if (status !== 200) refused += 1
  }
  const json = { 'content-type': 'application/json' }
  const merchant = { ...json, authorization: AUTHORIZATION }
  const create: Request = {
    method: 'POST',
    path: `${API}/payment_links`,
    headers: merchant,
    body: JSON.stringify({ payment_link: LINK }),
    onResponse: seen,
  }
  const work = (requests: Request[]): Work => ({
    requests,
    perUnit: requests.length,
    refused: () => refused,
  })
  if (kind === 'create') return work([create])
  if (kind === 'payment') return work(payment())

  const links = await makeLinks(origin)
  let turn = 0
  const forEachLink = (request: Request, path: (link: string) => string): Work => {
    const next = () => path(links[(turn += 1) % links.length] ?? '')
    const setupRequest = (given: Request) => ({ ...given, path: next() })
    return work([{ ...request, onResponse: seen, setupRequest }])
  }
  switch (kind) {
    case 'read': {
      const read: Request = { method: 'GET', headers: merchant }
      return forEachLink(read, (link) => `${API}/payment_links/${link}`)
    }
    case 'page':
      return forEachLink({ method: 'GET' }, (link) => `/pay/${link}`)
    case 'session': {
      const open: Request = { method: 'POST', headers: json, body: '{}' }
      return forEachLink(open, (link) => `/pay/${link}/checkouts`)
    }
  }

  /** A link is made and paid: four requests, one after another on each connection. */
  function payment(): Request[] {
    return [
      {
        ...create,
        onResponse(status, body, context) {
          seen(status)
          Object.assign(context, { link: JSON.parse(body).payment_link.id })
        },
      },
      {
        method: 'POST',
        headers: json,
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
        headers: json,
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
            headers: { ...json, authorization: `Bearer ${session}` },
            body: JSON.stringify({
              attempt_key: randomUUID(),
              options_v,
              payment_method: { type: 'CARD', processor: 'sandbox', token: card },
            }),
          }
        },
        onResponse(status, body) {
          seen(status)
          if (JSON.parse(body).outcome !== 'COMPLETED') refused += 1
        },
      },
    ]
  }
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
