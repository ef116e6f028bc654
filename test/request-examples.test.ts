import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { type ApiResponse, basic, type Call, type Merchant, startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { newDeepLink } from './deep-links.ts'
import { connectStripe, warmUp } from './stripe-fake/connect.ts'
import { stripeEnvironment } from './stripe-fake/environment.ts'
import { startStripeFake } from './stripe-fake/start.ts'
import { MAIL_SETTINGS } from './mail-settings.ts'
import { newUser, PASSWORD } from './oauth.ts'
import { openPaymentsClient, type PaymentsClient } from './payments-client.ts'
import { cardToken, newLink, openPayerClient } from './payer-client.ts'

const fake = await startStripeFake({ name: 'Example' })
await warmUp(fake)
const app = await startTestApp({ ...stripeEnvironment(fake), ...MAIL_SETTINGS })
afterAll(() => fake.close())
const { json: document } = await app.call('/openapi.json')

interface Described {
  operationId: string
  path: string
  method: string
  examples: Record<string, { summary: string; value: unknown }>
}

const described = Object.entries(document.paths as Record<string, Record<string, unknown>>).flatMap(
  ([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): Described[] => {
      const { operationId, requestBody } = operation as {
        operationId: string
        requestBody?: { content: Record<string, { examples?: Described['examples'] }> }
      }
      const content = requestBody?.content['application/json']
      return content ? [{ operationId, path, method, examples: content.examples ?? {} }] : []
    }),
)

/** A merchant with a stored card, and what the examples name by ids. */
interface Stage {
  merchant: Merchant
  paymentsClient: PaymentsClient
  account: string
  method: string
}

async function openStage(): Promise<Stage> {
  const merchant = await app.newMerchant()
  const paymentsClient = openPaymentsClient(app, merchant)
  return { merchant, paymentsClient, ...(await paymentsClient.storeCard()) }
}

/** Returns a charge of 24.00 EUR that is owed. */
async function newCharge({ paymentsClient, method }: Stage): Promise<string> {
  const due = '2031-01-31T09:00:00Z'
  const payment = await paymentsClient.pay(undefined, {
    amount: '24.00',
    payment_method: method,
    due,
  })
  return payment.charge
}

const webhook = async ({ merchant }: Stage) =>
  (
    await merchant.api('/instance_webhooks', {
      body: { instance_webhook: { url: 'https://shop.example/hook', events: ['*'] } },
    })
  ).json.instance_webhook.id as string

const user = async ({ merchant }: Stage) => {
  const user = { email: `${randomUUID()}@shop.example`, role: 'VIEWER', instances: ['default'] }
  return (await merchant.api('/users', { body: { user } })).json.user.id as string
}

const secretKey = async ({ merchant }: Stage) =>
  (await merchant.api('/secret_keys', { body: { secret_key: {} } })).json.secret_key.id as string

const entity = async ({ merchant }: Stage) =>
  (
    await merchant.api('/legal_entities', {
      body: { legal_entity: { legal_name: 'Atelier Nord SAS', country: 'FR' } },
    })
  ).json.legal_entity.id as string

const processor = async ({ merchant }: Stage) => (await connectStripe(app, merchant, fake)).id

/** A refund that waits for being made by hand, as with a processor that has no refunds. */
async function manualRefund({ paymentsClient }: Stage): Promise<string> {
  const { id } = await paymentsClient.pay()
  const { refund } = (await paymentsClient.refund(id)).json
  await app.checkstand.deps.db
    .updateTable('refunds')
    .set({ manual: 1, status: 'PENDING', processed: null })
    .where('id', '=', refund.id)
    .execute()
  return refund.id
}

/** What each operation of a merchant is called on: its path below the merchant's API. */
const PATHS: Record<string, (stage: Stage) => string | Promise<string>> = {
  create_account: () => '/accounts',
  update_account: ({ account }) => `/accounts/${account}`,
  anonymise_account: async ({ merchant }) => {
    const { json } = await merchant.api('/accounts', { body: { account: { crm_key: 'former' } } })
    return `/accounts/${json.account.id}/anonymise`
  },
  update_contract: async ({ paymentsClient, method }) => {
    const recurring = { frequency: 'MONTH', count: 3 }
    const { contract } = await paymentsClient.pay(undefined, { payment_method: method, recurring })
    return `/contracts/${contract}`
  },
  update_charge: async (stage) => `/charges/${await newCharge(stage)}`,
  create_payment_link: () => '/payment_links',
  update_payment_link: async ({ merchant }) => `/payment_links/${(await newLink(merchant)).id}`,
  send_payment_link: async ({ merchant }) => `/payment_links/${(await newLink(merchant)).id}/send`,
  create_deep_link: () => '/deep_links',
  update_deep_link: async ({ merchant }) => {
    const deep_link = { action: 'PAY', options: { amount: '24.00', currency: 'EUR' } }
    const { json } = await merchant.api('/deep_links', { body: { deep_link } })
    return `/deep_links/${json.deep_link.id}`
  },
  create_payment: () => '/payments',
  capture_payment: async ({ paymentsClient }) =>
    `/payments/${(await paymentsClient.authorise()).id}/capture`,
  refund_payment: async ({ paymentsClient }) =>
    `/payments/${(await paymentsClient.pay()).id}/refund`,
  void_payment: async ({ paymentsClient }) =>
    `/payments/${(await paymentsClient.authorise()).id}/void`,
  check_payment: async ({ paymentsClient }) => `/payments/${(await paymentsClient.pay()).id}/check`,
  resolve_refund: async (stage) => `/refunds/${await manualRefund(stage)}`,
  update_string: () => '/strings/checkout.pay',
  update_strings: () => '/strings',
  update_string_acks: () => '/string_acks',
  create_view: () => '/views',
  preview_string_import: () => '/string_imports',
  create_string_revision: () => '/string_revisions',
  revert_string_revision: async ({ merchant }) => {
    const changes = [{ id: 'methods.title', text: 'How' }]
    const body = { revision: { base_version: 1, changes } }
    const { json } = await merchant.api('/string_revisions', { body })
    return `/string_revisions/${json.string_revision.id}/revert`
  },
  create_instance_webhook: () => '/instance_webhooks',
  update_instance_webhook: async (stage) => `/instance_webhooks/${await webhook(stage)}`,
  rotate_instance_webhook: async (stage) => `/instance_webhooks/${await webhook(stage)}/rotate`,
  test_instance_webhook: async (stage) => `/instance_webhooks/${await webhook(stage)}/test`,
  replay_instance_webhook: async (stage) => `/instance_webhooks/${await webhook(stage)}/replay`,
  invite_user: () => '/users',
  update_user: async (stage) => `/users/${await user(stage)}`,
  send_user_invitation: async (stage) => `/users/${await user(stage)}/invitation`,
  create_secret_key: () => '/secret_keys',
  update_secret_key: async (stage) => `/secret_keys/${await secretKey(stage)}`,
  update_checkout_alerts: () => '/checkout_monitor/alerts',
  update_instance: () => '/instances/default',
  create_legal_entity: () => '/legal_entities',
  update_legal_entity: async (stage) => `/legal_entities/${await entity(stage)}`,
  create_legal_entity_route: () => '/legal_entity_routes',
  update_legal_entity_route: async (stage) => {
    const body = { legal_entity_route: { legal_entity: await entity(stage) } }
    const made = await stage.merchant.api('/legal_entity_routes', { body })
    return `/legal_entity_routes/${made.json.legal_entity_route.id}`
  },
  replace_legal_entity_routes: () => '/legal_entity_routes',
  resolve_legal_entity: () => '/legal_entity_routes/resolve',
  create_processor: () => '/processors',
  update_processor: async (stage) => `/processors/${await processor(stage)}`,
  check_processor: async (stage) => `/processors/${await processor(stage)}/check`,
  rotate_processor_webhook_secret: async (stage) =>
    `/processors/${await processor(stage)}/rotate_webhook_secret`,
  move_test_clock: () => '/sandbox/clock',
}

/** A deep link to a contract of the stage's account. */
async function newTask({ merchant, paymentsClient, account, method }: Stage) {
  const { contract } = await paymentsClient.pay(undefined, {
    amount: '9.90',
    account,
    payment_method: method,
    recurring: { frequency: 'MONTH' },
  })
  const deep_link = {
    action: 'MANAGE_CONTRACT',
    account,
    contract,
    allow: ['CANCEL', 'PAUSE', 'PAYMENT_METHOD'],
    expires: new Date(app.now() + 86_400_000).toISOString(),
  }
  return (await merchant.api('/deep_links', { body: { deep_link } })).json.deep_link
}

/** Adds the token of a session of a task. */
async function withTask(stage: Stage, call: Call): Promise<Call> {
  const { id } = await newTask(stage)
  const { json } = await app.call(`/go/${id}/sessions`, { body: {} })
  return { ...call, headers: { ...call.headers, authorization: `Bearer ${json.token}` } }
}

/** The others: what users, payers and the browser half of the sandbox send. */
const CALLS: Record<string, (stage: Stage, call: Call) => Promise<ApiResponse>> = {
  update_preferences: async (_, call) => {
    const { merchant, email } = await newUser(app)
    const headers = { ...call.headers, authorization: basic(`${email}:${PASSWORD}`) }
    return merchant.api('/preferences', { ...call, headers })
  },
  open_checkout: async ({ merchant }, call) =>
    app.call(`/pay/${(await newLink(merchant)).id}/checkouts`, call),
  open_deep_link_checkout: async ({ merchant }, call) =>
    app.call(`${new URL((await newDeepLink(merchant)).url).pathname}/checkouts`, call),
  submit_checkout: async ({ merchant }, call) => {
    const link = await newLink(merchant, { amount: '24.00', currency: 'EUR' })
    const { token } = await openPayerClient(app, link.id)
    const headers = { authorization: `Bearer ${token}` }
    return app.call('/pay/checkouts/current/submit', { ...call, headers })
  },
  open_task: async (stage, call) => app.call(`/go/${(await newTask(stage)).id}/sessions`, call),
  save_task_payment_method: async (stage, call) =>
    app.call('/go/sessions/current/payment_method', await withTask(stage, call)),
  change_task_contract: async (stage, call) =>
    app.call('/go/sessions/current/contract', await withTask(stage, call)),
  create_sandbox_token: (_, call) => app.call('/sandbox/tokens', call),
}

/** Puts what there is in the place of the ids, tokens and keys that an example names. */
async function withRealIds(stage: Stage, value: unknown): Promise<unknown> {
  const real: Record<string, () => string | Promise<string>> = {
    acc: () => stage.account,
    pm: () => stage.method,
    cg: () => newCharge(stage),
    tok: () => cardToken(app, CARDS.approve),
    le: () => entity(stage),
    key: () => secretKey(stage),
    evt: async () => (await stage.merchant.api('/events')).json.events[0].id as string,
  }
  let text = JSON.stringify(value)
  for (const [prefix, find] of Object.entries(real)) {
    const pattern = new RegExp(`"${prefix}_[\\w]+"`, 'g')
    if (pattern.test(text)) text = text.replaceAll(pattern, `"${await find()}"`)
  }
  // An email is of one user alone on the whole server.
  text = text.replaceAll(/"\w+@shop\.example"/g, () => `"${randomUUID()}@shop.example"`)
  const body = JSON.parse(text) as Record<string, unknown>
  return 'attempt_key' in body ? { ...body, attempt_key: randomUUID() } : body
}

describe('an example of a request in the OpenAPI document', () => {
  it.each(described)('is there for $operationId', ({ examples }) => {
    expect(Object.keys(examples).length).toBeGreaterThan(0)
    for (const { summary } of Object.values(examples)) expect(summary).toMatch(/^[A-Z].*[^.]$/)
  })

  const all = described.flatMap(({ operationId, method, examples }) =>
    Object.entries(examples).map(([name, { value }]) => ({ operationId, method, name, value })),
  )

  it.each(all)('works: $operationId, $name', async ({ operationId, method, value }) => {
    const stage = await openStage()
    const call = { method: method.toUpperCase(), body: await withRealIds(stage, value) }
    const path = PATHS[operationId]
    const response = path
      ? await stage.merchant.api(await path(stage), call)
      : await CALLS[operationId]?.(stage, call)
    expect(response?.status, response?.text).toBe(200)
    const { payment, refund, capture } = response?.json ?? {}
    for (const record of [payment, refund, capture]) {
      expect(['SUCCESS', 'SCHEDULED', 'DECLINED', undefined]).toContain(record?.status)
    }
  })
})

/** Every POST of the merchant's API. */
const posts = described.filter(({ method, operationId }) => method === 'post' && PATHS[operationId])

describe('every POST of the merchant’s API', () => {
  it('has an example', () => {
    const routes = app.checkstand.mounts
      .filter(({ security }) => security !== 'none')
      .flatMap((mount) => mount.routes)
      .filter(({ method }) => method === 'post')
      .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
    expect(new Set(posts.map(({ path }) => path))).toEqual(new Set(routes))
  })

  /** Returns what sends the first example under a key. Another request differs by a blank alone. */
  async function prepare({ operationId, examples }: Described) {
    const stage = await openStage()
    const path = (await PATHS[operationId]?.(stage)) ?? ''
    const body = JSON.stringify(await withRealIds(stage, Object.values(examples)[0]?.value))
    const send = (key: string, space = '') =>
      stage.merchant.api(path, {
        raw: body + space,
        headers: { 'idempotency-key': key, 'content-type': 'application/json' },
      })
    return { merchant: stage.merchant, send }
  }

  it.each(posts)('$path acts once under an Idempotency-Key', async (post) => {
    const { merchant, send } = await prepare(post)
    const first = await send('key')
    expect(first.status, first.text).toBe(200)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const before = await rows(merchant)

    const again = await send('key')
    // The secret of a key is not stored, so that a repeated request is answered without it.
    const { secret_key: made } = first.json
    const stored = made
      ? JSON.stringify({ secret_key: { ...made, secret: undefined } })
      : first.text
    expect([again.status, again.text]).toEqual([200, stored])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))

    const other = await send('key', ' ')
    expect([other.status, other.json.code ?? other.json.error.type]).toEqual([422, 'IDEMPOTENCY'])
    expect(await rows(merchant)).toEqual(before)

    expect((await send('another-key')).headers.get('idempotent-replayed')).toBeNull()
  })

  it.each(posts)('$path refuses a key that is none', async (post) => {
    const { status, json } = await (await prepare(post)).send('zwölf')
    const { message, code } = json.error ?? json
    expect([status, message]).toEqual([
      400,
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
    ])
    // Errors of the strings area are flat and carry a code.
    expect(code).toBe(post.path === '/strings' ? 'SVC-7001' : undefined)
  })
})

/** How many rows a merchant has of everything that a request could make. */
async function rows({ instance }: Merchant): Promise<Record<string, number>> {
  const tables = [
    'accounts',
    'payment_links',
    'deep_links',
    'strings',
    'string_revisions',
    'payments',
    'refunds',
    'voids',
    'transactions',
    'webhook_endpoints',
    'legal_entities',
    'legal_entity_routes',
    'processor_connections',
    'secret_keys',
    'deliveries',
    'mails',
    'events',
    'idempotency_keys',
  ] as const
  const counted = tables.map(async (table) => {
    const { count } = await app.checkstand.deps.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('instance_id', '=', instance.id)
      .executeTakeFirstOrThrow()
    return [table, count] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}
