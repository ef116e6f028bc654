import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { CARDS } from './cards.ts'
import type { ApiResponse, Call, Client, MerchantClient } from './client.ts'

/** A payer who does over HTTP what the page does. */
export interface PayerClient {
  token: string
  // oxlint-disable-next-line typescript/no-explicit-any -- the route's schema has checked it
  checkout: any
  current: () => Promise<ApiResponse>
  submit: (body?: Record<string, unknown>) => Promise<ApiResponse>
  /** Pays with a new card; further members go into the submit. */
  payByCard: (number: string, more?: Record<string, unknown>) => Promise<ApiResponse>
}

/** Creates a valid link and returns its record. */
export async function newLink(
  merchant: MerchantClient,
  options: Record<string, unknown> = { amount: '12.50' },
  more: Record<string, unknown> = {},
) {
  const response = await merchant.api('/payment_links', {
    body: { payment_link: { options, ...more } },
  })
  expect(response.status, response.text).toBe(200)
  return response.json.payment_link
}

/** Reads a link as its merchant. */
export async function readLink(merchant: MerchantClient, id: string, expand = '') {
  const response = await merchant.api(`/payment_links/${id}${expand && `?expand=${expand}`}`)
  expect(response.status, response.text).toBe(200)
  return response.json.payment_link
}

/** Opens a session on a link. `call` has the body of the request, and headers for all that follow. */
export async function openPayerClient(
  app: Client,
  linkId: string,
  { body = {}, headers = {} }: Call = {},
): Promise<PayerClient> {
  return openPayerClientAt(app, `/pay/${linkId}`, { body, headers })
}

/** Opens a session on the page at a path, such as that of a deep link. */
export async function openPayerClientAt(
  app: Client,
  path: string,
  { body = {}, headers = {} }: Call = {},
): Promise<PayerClient> {
  const [page, query] = path.split('?')
  const opened = await app.call(`${page}/checkouts${query === undefined ? '' : `?${query}`}`, {
    body,
    headers,
  })
  expect(opened.status, opened.text).toBe(200)
  return resumePayerClient(app, opened.json, headers)
}

/** Returns a client that goes on with an open session, which may have been opened elsewhere. */
export function resumePayerClient(
  app: Client,
  { token, checkout }: Pick<PayerClient, 'token' | 'checkout'>,
  more: Record<string, string> = {},
): PayerClient {
  const headers = { ...more, authorization: `Bearer ${token}` }
  const submit: PayerClient['submit'] = (body = {}) =>
    app.call('/pay/checkouts/current/submit', {
      headers,
      body: { attempt_key: randomUUID(), options_v: checkout.options_v, ...body },
    })
  return {
    token,
    checkout,
    current: () => app.call('/pay/checkouts/current', { headers }),
    submit,
    payByCard: async (number, members = {}) =>
      submit({
        payment_method: { type: 'CARD', processor: 'sandbox', token: await cardToken(app, number) },
        ...members,
      }),
  }
}

/** Creates a link of the app's merchant and opens it. Returns its record and its payer. */
export async function openNewLink(
  app: Client & { merchant: MerchantClient },
  options?: Record<string, unknown>,
  more?: Record<string, unknown>,
) {
  const link = await newLink(app.merchant, options, more)
  return { link, payer: await openPayerClient(app, link.id) }
}

/** Creates a link and pays it with a new card; `more` goes into the submit. */
export async function payNewLink(
  app: Client & { merchant: MerchantClient },
  card: string,
  options?: Record<string, unknown>,
  more?: Record<string, unknown>,
) {
  const { link, payer } = await openNewLink(app, options)
  return { link, payer, ...(await payer.payByCard(card, more)) }
}

/** What the payer answers on the sandbox's bank page; answers where the bank sends them. */
export async function completeChallenge(app: Client, url: string, choice: 'approve' | 'decline') {
  const response = await app.call(new URL(url).pathname, {
    method: 'POST',
    raw: new URLSearchParams({ choice }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(response.status).toBe(303)
  return response.headers.get('location') as string
}

/** Answers the sandbox's bank page and returns to the shop, as the payer's browser does. */
export async function returnFromBank(
  app: Client,
  url: string,
  choice: 'approve' | 'decline' = 'approve',
): Promise<ApiResponse> {
  return app.call(new URL(await completeChallenge(app, url, choice)).pathname)
}

/** An account as a payer's page makes one; answers its id. */
export async function newAccount(app: TestApp): Promise<string> {
  const { link, payer } = await openNewLink(app, {
    amount: '1.00',
    account: { email: 'ada@example.com' },
  })
  await payer.payByCard(CARDS.approve)
  return (await readLink(app.merchant, link.id)).account
}

/** The sandbox's token for a card, as the page's card form would ask for it. */
export async function cardToken(
  app: Client,
  number: string,
  expiry = { exp_month: 12, exp_year: 2034 },
): Promise<string> {
  const csc = number.startsWith('3') ? '1234' : '123'
  const response = await app.call('/sandbox/tokens', {
    body: { card: { number, ...expiry, csc } },
  })
  expect(response.status, response.text).toBe(200)
  return response.json.token
}

/** Returns the charges in the sandbox's ledger, in minor units. */
export async function sandboxCharges(app: TestApp): Promise<number[]> {
  const rows = await app.checkstand.deps.db
    .withTables<{ sandbox_charges: { amount: number; created: string } }>()
    .selectFrom('sandbox_charges')
    .select('amount')
    .orderBy('created')
    .execute()
  return rows.map((row) => row.amount)
}
