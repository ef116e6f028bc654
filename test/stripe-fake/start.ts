import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountRoutes } from './account-routes.ts'
import { type Afterwards, createAfterwards } from './afterwards.ts'
import { setBankUrl } from './answers.ts'
import { changeRoutes } from './change-routes.ts'
import { answerProblem, requestProblem } from './description.ts'
import { type FakeClock, newStripeId } from './events.ts'
import { createFaults, distort, type Fault } from './faults.ts'
import { parseForm } from './form.ts'
import { intentRoutes } from './intent-routes.ts'
import { methodRoutes } from './method-routes.ts'
import { createMethod } from './methods.ts'
import { type Account, newAccount } from './objects.ts'
import { settleProcessing } from './outcomes.ts'
import { answerBank, bankPage } from './bank-page.ts'
import { setupRoutes } from './setup-intents.ts'
import { findRoute, run } from './route-table.ts'

export type { Fault } from './faults.ts'

export interface ReceivedRequest {
  method: string
  /** As the description writes it: `/v1/payment_intents/{intent}`. */
  path: string
  url: string
  body: string
  headers: IncomingMessage['headers']
}

export interface StripeFake {
  /** Origin of the API. */
  url: string
  account: Account
  secretKey: string
  publishableKey: string
  requests: ReceivedRequest[]
  /** What the description, or a rule for callers, says against requests and answers. */
  problems: string[]
  /** The next `times` requests to `route`, such as `POST /v1/refunds`, meet a fault. */
  fault(route: string, fault: Fault, times?: number): void
  clearFaults(): void
  /** Sends a request again as it was received, as a network may. Returns the status. */
  sendAgain(request: ReceivedRequest): Promise<number>
  /** Makes a card, as the fields in the page do. Returns the id of the method. */
  card(number: string, given?: { csc?: string }): string
  /** Makes a bank account. Returns the id of the method. */
  debit(iban: string): string
  /** Does what the payer chooses on the page of the bank. */
  confirm(url: string, choice: 'approve' | 'decline'): void
  settle(): void
  /** What happens to money after a payment; the payment by its intent. */
  afterwards: Afterwards
  /** Money taken and kept, in Stripe's minor units, by intent. */
  taken(): Map<string, number>
  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  close(): Promise<void>
}

/** Ids hold the time of their creation, between other characters. */
const CARD_NUMBER = /(?<!\w)\d{13,19}(?!\w)/

/**
 * A stateful Stripe over HTTP, on a free port unless one is given, with one account in memory. Every request and every answer
 * is checked by the published description. `now` is in epoch milliseconds; `name`, of letters and digits,
 * is part of the keys, so that two fakes differ.
 */
export async function startStripeFake({
  now = Date.now,
  livemode = false,
  name = 'Fake',
  port = 0,
}: {
  now?: () => number
  livemode?: boolean
  name?: string
  port?: number
} = {}): Promise<StripeFake> {
  const account = newAccount()
  const clock: FakeClock = { now, livemode }
  const mode = livemode ? 'live' : 'test'
  const secretKey = `sk_${mode}_51${name}${'0'.repeat(24)}`
  const publishableKey = `pk_${mode}_51${name}${'0'.repeat(24)}`
  const routes = [
    ...intentRoutes(account, clock),
    ...setupRoutes(account, clock),
    ...methodRoutes(account, clock),
    ...changeRoutes(account, clock),
    ...accountRoutes(account, clock),
  ]
  const requests: ReceivedRequest[] = []
  const problems: string[] = []
  const faults = createFaults()
  const keys = new Map<string, { request: string; answer?: { status: number; text: string } }>()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    const body = await readText(request)
    const method = (request.method ?? 'GET').toLowerCase()
    if (url.pathname.startsWith('/bank/')) return bankPage(account, clock, url, response)
    const match = findRoute(routes, method, url.pathname)
    const path = match?.template ?? url.pathname
    const received = { method, path, url: request.url ?? '/', body, headers: request.headers }
    requests.push(received)
    const send = (status: number, answer: string, type = 'application/json') => {
      response.writeHead(status, { 'Content-Type': type, 'Request-Id': newStripeId('req') })
      response.end(answer)
    }
    const fault = faults.take(`${method.toUpperCase()} ${path}`)
    if (fault === 'LOST_BEFORE') return void request.socket.destroy()
    if (fault === 'HTML') return send(200, '<html>Maintenance</html>', 'text/html')
    if (fault === '429' || fault === '409' || fault === '500_BEFORE') {
      const status = Number.parseInt(fault, 10)
      const type = status === 409 ? 'idempotency_error' : 'api_error'
      return send(status, JSON.stringify({ error: { type, message: 'Try again.' } }))
    }
    if (fault === 'FORBIDDEN') {
      const error = { type: 'invalid_request_error', message: 'The key may not do this.' }
      return send(403, JSON.stringify({ error }))
    }
    const { status, text } = execute(received, match)
    if (fault === '500_AFTER') {
      const failed = { status: 500, text: JSON.stringify({ error: { type: 'api_error' } }) }
      const key = request.headers['idempotency-key']
      if (typeof key === 'string')
        keys.set(key, { request: `${path} ${request.url} ${body}`, answer: failed })
      return send(failed.status, failed.text)
    }
    if (fault === 'LOST_AFTER') return void request.socket.destroy()
    send(status, distort(text, fault))
  }

  function execute(
    { method, path, url, body, headers }: ReceivedRequest,
    match: ReturnType<typeof findRoute>,
  ): { status: number; text: string } {
    const failed = (status: number, error: object) => ({ status, text: JSON.stringify({ error }) })
    const authorization = headers.authorization ?? ''
    const isPublic = authorization === `Bearer ${publishableKey}`
    if (authorization !== `Bearer ${secretKey}` && !isPublic) {
      return failed(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
    }
    if (!match) return failed(404, { type: 'invalid_request_error', message: `No ${path}` })
    const form = parseForm(body)
    const key = headers['idempotency-key']
    const against = [
      requestProblem(method, path, form),
      method === 'post' && !isPublic && key === undefined ? 'no Idempotency-Key' : undefined,
      headers['stripe-version'] === undefined && !isPublic ? 'no Stripe-Version' : undefined,
      !isPublic && CARD_NUMBER.test(decodeURIComponent(body)) ? 'a number' : undefined,
    ].filter((problem) => problem !== undefined)
    problems.push(...against.map((problem) => `${method} ${path}: ${problem}`))
    const request = `${path} ${url} ${body}`
    const earlier = typeof key === 'string' ? keys.get(key) : undefined
    if (earlier && earlier.request !== request) {
      return failed(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      })
    }
    if (earlier?.answer) return earlier.answer
    const answer = run(match, { query: new URL(url, 'http://fake').searchParams, body: form })
    const problem = answerProblem(method, path, answer.status, JSON.parse(answer.text))
    if (problem) problems.push(`answer of ${method} ${path}: ${problem}`)
    if (typeof key === 'string') keys.set(key, { request, answer })
    return answer
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      problems.push(`the fake failed: ${(error as Error).stack}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  setBankUrl(account, url)

  return {
    url,
    account,
    secretKey,
    publishableKey,
    requests,
    problems,
    fault: faults.plan,
    clearFaults: faults.clear,
    async sendAgain({ method, url: path, body, headers }) {
      const { authorization = '', 'idempotency-key': key } = headers
      const response = await fetch(`${url}${path}`, {
        method,
        ...(method === 'post' && { body }),
        headers: {
          authorization,
          'stripe-version': String(headers['stripe-version']),
          ...(typeof key === 'string' && { 'idempotency-key': key }),
        },
      })
      await response.arrayBuffer()
      return response.status
    },
    card: (number, { csc } = {}) =>
      createMethod(account, clock, 'card', { number, csc: csc ?? null }).id,
    debit: (iban) => createMethod(account, clock, 'sepa_debit', { number: iban }).id,
    confirm: (bank, choice) =>
      void answerBank(account, clock, bank.slice(bank.lastIndexOf('/') + 1), choice),
    settle: () => settleProcessing(account, clock),
    afterwards: createAfterwards(account, clock),
    taken: () =>
      new Map(
        [...account.charges.values()]
          .filter(({ captured }) => captured)
          .map((charge) => [
            charge.payment_intent,
            charge.amount_captured - charge.amount_refunded,
          ]),
      ),
    forgetKeys: () => keys.clear(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await sleep(0)
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
