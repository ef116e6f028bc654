import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answerChallenge,
  ApiFailure,
  cancelIntent,
  captureIntent,
  confirmIntent,
  createIntent,
  createMethod,
  createRefund,
  emit,
  type FakeClock,
  findIntent,
  newStripeId,
  settleProcessing,
  usableMethod,
} from './actions.ts'
import {
  balanceAnswer,
  chargeAnswer,
  disputeAnswer,
  eventAnswer,
  intentAnswer,
  listAnswer,
  methodAnswer,
  refundAnswer,
  setBankUrl,
} from './answers.ts'
import { type Afterwards, createAfterwards } from './afterwards.ts'
import { answerProblem, requestProblem } from './description.ts'
import { type FormBody, parseForm } from './form.ts'
import { type Account, newAccount } from './objects.ts'

export type Fault =
  | 'LOST_BEFORE'
  | 'LOST_AFTER'
  | '500_BEFORE'
  | '500_AFTER'
  | '429'
  | '409'
  | 'FORBIDDEN'
  | 'HTML'
  | 'WRONG_AMOUNT'
  | 'WRONG_MODE'

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

interface Call {
  path: Record<string, string>
  query: URLSearchParams
  body: FormBody
}

type Handler = (call: Call) => object

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
  const routes = routeTable(account, clock, livemode)
  const requests: ReceivedRequest[] = []
  const problems: string[] = []
  const faults: { route: string; fault: Fault; times: number }[] = []
  const keys = new Map<string, { request: string; answer?: { status: number; text: string } }>()

  function takeFault(route: string): Fault | undefined {
    const planned = faults.find((each) => each.route === route && each.times > 0)
    if (planned) planned.times -= 1
    return planned?.fault
  }

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
    const fault = takeFault(`${method.toUpperCase()} ${path}`)
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
    fault: (route, fault, times = 1) => void faults.push({ route, fault, times }),
    clearFaults: () => void faults.splice(0),
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
      void answerChallenge(account, clock, bank.slice(bank.lastIndexOf('/') + 1), choice),
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

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function distort(text: string, fault: Fault | undefined): string {
  if (fault !== 'WRONG_AMOUNT' && fault !== 'WRONG_MODE') return text
  const answer = JSON.parse(text)
  return JSON.stringify(
    fault === 'WRONG_AMOUNT'
      ? { ...answer, amount: answer.amount + 1 }
      : { ...answer, livemode: !answer.livemode },
  )
}

/** The page of a bank, with a link for each choice. The payer returns as Stripe sends them. */
function bankPage(account: Account, clock: FakeClock, url: URL, response: ServerResponse): void {
  const [, , id = '', choice] = url.pathname.split('/')
  if (choice !== 'approve' && choice !== 'decline') {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    const link = (to: string) => `<a id="${to}" href="/bank/${id}/${to}">${to}</a>`
    return void response.end(
      `<!doctype html><html lang="en"><title>Your bank</title><h1>Your bank</h1>` +
        `<p>${link('approve')} ${link('decline')}</p></html>`,
    )
  }
  const intent = answerChallenge(account, clock, id, choice)
  const back = new URL(intent.return_url ?? url)
  back.searchParams.set('payment_intent', intent.id)
  back.searchParams.set('payment_intent_client_secret', intent.client_secret)
  back.searchParams.set('redirect_status', choice === 'approve' ? 'succeeded' : 'failed')
  response.writeHead(303, { Location: back.href })
  response.end()
}

interface FoundRoute {
  template: string
  path: Record<string, string>
  handler: Handler
}

type RouteTable = readonly (readonly [method: string, template: string, handler: Handler])[]

function findRoute(routes: RouteTable, method: string, path: string): FoundRoute | undefined {
  for (const [verb, template, handler] of routes) {
    const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const found = verb === method ? pattern.exec(path) : null
    if (found) return { template, handler, path: { ...found.groups } }
  }
  return undefined
}

function run(
  { handler, path }: FoundRoute,
  call: Omit<Call, 'path'>,
): { status: number; text: string } {
  try {
    return { status: 200, text: JSON.stringify(handler({ ...call, path })) }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return { status: error.status, text: JSON.stringify({ error: error.error }) }
  }
}

function routeTable(account: Account, clock: FakeClock, livemode: boolean): RouteTable {
  const expandOf = ({ body, query }: Call): string[] => {
    const listed = body['expand']
    const asked = Array.isArray(listed) ? listed.map(String) : []
    return [
      ...asked,
      ...[...query].filter(([name]) => name.startsWith('expand[')).map(([, v]) => v),
    ]
  }
  const onIntent = (act: (call: Call, intent: ReturnType<typeof findIntent>) => void) => {
    const handler: Handler = (call) => {
      const intent = findIntent(account, call.path['intent'] ?? '')
      act(call, intent)
      return intentAnswer(account, intent, expandOf(call))
    }
    return handler
  }
  const list = (url: string, items: object[], query: URLSearchParams) => {
    const from = Number(query.get('created[gte]') ?? 0)
    const to = Number(query.get('created[lte]') ?? Infinity)
    const within = (items as { created: number }[]).filter(
      ({ created }) => created >= from && created <= to,
    )
    return listAnswer(url, within, Object.fromEntries(query))
  }
  const newest = <T>(items: Map<string, T>): T[] => [...items.values()].toReversed()
  const missing = (what: string, id: string) =>
    new ApiFailure(404, { code: 'resource_missing', message: `No such ${what}: '${id}'` })
  return [
    [
      'post',
      '/v1/payment_intents',
      (call) => intentAnswer(account, createIntent(account, clock, call.body), expandOf(call)),
    ],
    [
      'get',
      '/v1/payment_intents',
      ({ query }) =>
        list(
          '/v1/payment_intents',
          newest(account.intents).map((intent) => intentAnswer(account, intent, [])),
          query,
        ),
    ],
    ['get', '/v1/payment_intents/{intent}', onIntent(() => {})],
    [
      'post',
      '/v1/payment_intents/{intent}/confirm',
      onIntent(({ body }, intent) => confirmIntent(account, clock, intent, body)),
    ],
    [
      'post',
      '/v1/payment_intents/{intent}/capture',
      onIntent(({ body }, intent) => captureIntent(account, clock, intent, body)),
    ],
    [
      'post',
      '/v1/payment_intents/{intent}/cancel',
      onIntent((_call, intent) => cancelIntent(account, clock, intent)),
    ],
    [
      'post',
      '/v1/customers',
      ({ body }) => {
        const customer = {
          id: newStripeId('cus'),
          created: Math.floor(clock.now() / 1000),
          name: (body['name'] as string | undefined) ?? null,
          email: (body['email'] as string | undefined) ?? null,
        }
        account.customers.set(customer.id, customer)
        return { object: 'customer', livemode, default_source: null, ...customer }
      },
    ],
    [
      'post',
      '/v1/payment_methods',
      ({ body }) => {
        const card = (body['card'] ?? {}) as Record<string, string>
        const debit = (body['sepa_debit'] ?? {}) as Record<string, string>
        const person = (body['billing_details'] ?? {}) as Record<string, string>
        const lacking = ['name', 'email'].find((member) => !person[member])
        if (body['type'] === 'sepa_debit' && lacking !== undefined) {
          throw new ApiFailure(400, {
            code: 'parameter_missing',
            param: `billing_details[${lacking}]`,
            message: 'A direct debit requires a name and an email address.',
          })
        }
        return methodAnswer(
          createMethod(account, clock, text(body['type']), {
            number: card['number'] ?? debit['iban'] ?? '',
            csc: card['cvc'] ?? null,
            billing_details: person,
          }),
        )
      },
    ],
    [
      'post',
      '/v1/tokens',
      ({ body }) => {
        const id = newStripeId('cvctok')
        const { cvc = '' } = (body['cvc_update'] ?? {}) as Record<string, string>
        account.cscTokens.set(id, cvc)
        const created = Math.floor(clock.now() / 1000)
        return { id, object: 'token', type: 'cvc_update', created, livemode, used: false }
      },
    ],
    [
      'get',
      '/v1/payment_methods/{payment_method}',
      ({ path }) =>
        methodAnswer(usableMethod(account, clock, path['payment_method'] ?? '', undefined)),
    ],
    [
      'post',
      '/v1/payment_methods/{payment_method}/detach',
      ({ path }) => {
        const id = path['payment_method'] ?? ''
        const method = account.methods.get(id)
        if (!method) throw missing('PaymentMethod', id)
        if (method.customer === null) {
          throw new ApiFailure(400, { message: 'The payment method is not attached.' })
        }
        method.customer = null
        method.spent = true
        emit(account, clock, 'payment_method.detached', methodAnswer(method))
        return methodAnswer(method)
      },
    ],
    ['post', '/v1/refunds', ({ body }) => refundAnswer(createRefund(account, clock, body))],
    [
      'get',
      '/v1/refunds',
      ({ query }) =>
        list(
          '/v1/refunds',
          newest(account.refunds)
            .filter(({ payment_intent }) => payment_intent === query.get('payment_intent'))
            .map(refundAnswer),
          query,
        ),
    ],
    [
      'get',
      '/v1/refunds/{refund}',
      ({ path }) => {
        const refund = account.refunds.get(path['refund'] ?? '')
        if (!refund) throw missing('refund', path['refund'] ?? '')
        return refundAnswer(refund)
      },
    ],
    [
      'get',
      '/v1/disputes/{dispute}',
      (call) => {
        const id = call.path['dispute'] ?? ''
        const dispute = account.disputes.get(id)
        if (!dispute) throw missing('dispute', id)
        return disputeAnswer(account, dispute, expandOf(call))
      },
    ],
    [
      'get',
      '/v1/balance_transactions',
      (call) => {
        const isExpanded = expandOf(call).includes('data.source')
        const booked = newest(account.charges)
          .filter(({ balance_transaction }) => balance_transaction !== null)
          .map((charge) =>
            balanceAnswer(charge, isExpanded ? chargeAnswer(account, charge, false) : charge.id),
          )
        return list('/v1/balance_transactions', booked, call.query)
      },
    ],
    [
      'get',
      '/v1/events',
      ({ query }) => {
        const types = [...query]
          .filter(([name]) => name.startsWith('types['))
          .map(([, type]) => type)
        const events = account.events
          .filter(({ type }) => types.length === 0 || types.includes(type))
          .map(eventAnswer)
        return list('/v1/events', events, query)
      },
    ],
    ['get', '/v1/account', () => ({ object: 'account', id: 'acct_1Fake', type: 'standard' })],
    [
      'post',
      '/v1/webhook_endpoints',
      ({ body }) => {
        const endpoint = {
          id: newStripeId('we'),
          url: text(body['url']),
          secret: newStripeId('whsec'),
          enabled_events: body['enabled_events'] as string[],
          created: Math.floor(clock.now() / 1000),
          metadata: (body['metadata'] ?? {}) as Record<string, string>,
        }
        account.endpoints.set(endpoint.id, endpoint)
        return {
          object: 'webhook_endpoint',
          ...endpoint,
          api_version: null,
          application: null,
          description: null,
          livemode,
          status: 'enabled',
        }
      },
    ],
    [
      'delete',
      '/v1/webhook_endpoints/{webhook_endpoint}',
      ({ path }) => {
        const id = path['webhook_endpoint'] ?? ''
        if (!account.endpoints.delete(id)) throw missing('webhook endpoint', id)
        return { object: 'webhook_endpoint', id, deleted: true }
      },
    ],
  ]
}
