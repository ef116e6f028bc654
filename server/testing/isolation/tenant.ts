import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { fanOutEvents } from '../../webhooks/fan-out.ts'
import type { Call, Merchant, TestApp } from '../app.ts'
import type { Json } from '../merchant.ts'
import { CARDS, cardToken } from '../payer.ts'
import type { Keys, Names } from './names.ts'
import { keysOf } from './names.ts'

/** A merchant with one record at least of every kind, and what its records are called. */
export interface Tenant {
  merchant: Merchant
  names: Names
}

/** How a tenant's data is to be told from everybody else's. */
export interface Marks {
  /** Stands in every text that can be written, and nowhere else: whoever reads it has read this tenant. */
  secret: string
  /** Stands in every key and name that others could think of as well, and so may say. */
  keys: string
}

interface Maker {
  app: TestApp
  merchant: Merchant
  keys: Keys
  text: (what: string) => string
  post: (path: string, body: unknown, call?: Call) => Promise<Json>
}

/**
 * The requests that a tenant sends under its `Idempotency-Key`, one for each way in which keys are
 * kept. Whoever sends the same with the same key is told what the tenant was told, or is nobody.
 */
export function keyedRequests(names: Keys & Partial<Names>) {
  const url = `https://${names.branding}.example/hooks`
  return {
    '/accounts': { account: { crm_key: names.onceKey } },
    '/payment_links': { payment_link: { options: { alt_key: names.onceKey } } },
    '/strings': { strings: [{ id: 'methods.title', text: names.onceKey }] },
    '/instance_webhooks': { instance_webhook: { url, events: ['payment.*'] } },
    '/payments': { payment: { amount: '3.00', payment_method: names.method } },
    '/payments/:authorisation/capture': { capture: { amount: '10.00' } },
    '/payments/:sale/refund': { refund: { amount: '1.00', reference: names.refundReference } },
    '/payments/:released/void': {},
    '/instance_webhooks/:webhook/rotate': {},
    '/instance_webhooks/:webhook/replay': { replay: { type: 'account.*' } },
  }
}

/** Gives a merchant its marked data. The merchant's key and users are whoever's who made it. */
export async function makeTenant(app: TestApp, merchant: Merchant, marks: Marks): Promise<Tenant> {
  const keys = keysOf(marks.keys, merchant.instance.key)
  const maker: Maker = {
    app,
    merchant,
    keys,
    text: (what) => `${marks.secret} ${what}`,
    async post(path, body, call) {
      const answer = await merchant.api(path, { body, ...call })
      expect(answer.status, `${path}: ${answer.text}`).toBe(200)
      return answer.json
    },
  }
  await makeSettings(maker)
  const webhook = await makeWebhook(maker)
  const account = await makeAccount(maker)
  const paid = await makePaidLink(maker, account)
  const open = await makeOpenLink(maker)
  const saved = await makeSavedLink(maker, account)
  const money = await makeMoney(maker, account, paid.method)
  const names = { ...keys, account, webhook, ...paid, ...open, ...saved, ...money }
  for (const path of ['/accounts', '/payment_links', '/strings', '/instance_webhooks'] as const) {
    await maker.post(path, keyedRequests(keys)[path], keyed(keys))
  }
  for (const verb of ['rotate', 'replay'] as const) {
    const body = keyedRequests(names)[`/instance_webhooks/:webhook/${verb}`]
    await maker.post(`/instance_webhooks/${webhook}/${verb}`, body, keyed(keys))
  }
  return { merchant, names: { ...names, ...(await findRest(maker, names)) } }
}

/** What a request needs to be recognised when it comes again. */
export function keyed({ requestKey }: Keys): Call {
  return { headers: { 'idempotency-key': requestKey } }
}

async function makeSettings({ merchant, keys, text, post }: Maker): Promise<void> {
  const site = `https://${text('site').replace(' ', '.')}.example`
  const branding = {
    key: keys.branding,
    name: text('branding'),
    channels: [keys.channel],
    logo: `${site}/logo.png`,
    theme: { accent: '#0b6b4f' },
  }
  const instance = {
    name: text('shop'),
    brandings: [branding],
    allowed_origins: [site, keys.origin],
  }
  await post(`/instances/${merchant.instance.key}`, { instance }, { method: 'PUT' })
  // What reads as it would anyway is not kept, so each scope has words of its own.
  const scopes = [{}, { language: 'cy' }, { language: 'cy', branding: keys.branding }]
  for (const [at, scope] of scopes.entries()) {
    const wording = { id: 'checkout.comment', text: text(`wording ${at}`), ...scope }
    await post('/strings', { strings: [wording] })
  }
}

async function makeWebhook({ text, post }: Maker): Promise<string> {
  const url = `https://${text('hooks').replace(' ', '.')}.example/hooks`
  const instance_webhook = { url, events: ['*'], description: text('webhook') }
  return (await post('/instance_webhooks', { instance_webhook })).instance_webhook.id
}

async function makeAccount({ keys, text, post }: Maker): Promise<string> {
  const address = { line1: text('street'), line4: text('town'), line5: text('code'), country: 'GB' }
  const account = {
    crm_key: keys.accountKey,
    first_name: text('first'),
    last_name: text('last'),
    company: text('company'),
    email: `${text('mail').replace(' ', '.')}@shop.example`,
    phone: text('phone'),
    address,
    metadata: { [text('name')]: text('value') },
    tags: text('tags'),
    locale: text('locale'),
    timezone: 'Asia/Kolkata',
  }
  const headers = { 'user-agent': text('program') }
  return (await post('/accounts', { account }, { headers })).account.id
}

/** A payer with an account pays, and lets the card be kept. */
async function makePaidLink(maker: Maker, account: string) {
  const { keys, text } = maker
  const site = `https://${text('paid').replace(' ', '.')}.example`
  const paidLink = await newLink(maker, {
    amount: '12.50',
    account,
    save_card: true,
    alt_key: keys.linkKey,
    description: text('description'),
    name: text('name'),
    page_intro: text('intro'),
    page_pending_message: text('pending'),
    page_success_message: text('success'),
    pending_url: `${site}/pending`,
    success_url: `${site}/success`,
    channel: keys.channel,
    timezone: 'Asia/Kolkata',
  })
  const attemptKey = randomUUID()
  const session = await openSession(maker, paidLink)
  expect((await session.pay(attemptKey, {})).outcome).toBe('COMPLETED')
  const link = await readRecord(maker, 'payment_link', paidLink)
  return { paidLink, attemptKey, checkout: session.id, method: link.payment_method as string }
}

/** A payer who types everything is declined, and the link and session stay open. */
async function makeOpenLink(maker: Maker) {
  const { keys, text } = maker
  const mail = `${text('payer').replace(' ', '.')}@shop.example`
  const openLink = await newLink(maker, {
    amount: '7.00',
    account: { crm_key: keys.payerKey, first_name: text('prefilled'), email: mail },
    default_alt_key: keys.typedKey,
    description: text('invoice'),
    allow_description: true,
    channel: keys.channel,
  })
  const session = await openSession(maker, openLink)
  const account = { last_name: text('typed'), phone: text('typed') }
  const typed = { alt_key: keys.typedKey, description: text('comment'), account }
  expect((await session.pay(randomUUID(), typed, CARDS.decline)).outcome).toBe('DECLINED')
  return { openLink, openCheckout: session.id, payerSecret: session.secret }
}

/** A link whose payer may choose the card that was kept. */
async function makeSavedLink(maker: Maker, account: string) {
  return { savedLink: await newLink(maker, { amount: '9.00', account }) }
}

/** A merchant's own payments, with everything that is done to them. */
async function makeMoney(maker: Maker, account: string, method: string) {
  const { keys, text, post, app } = maker
  const take = async (payment: object) =>
    (await post('/payments', { payment: { amount: '50.00', currency: 'EUR', ...payment } })).payment
  const notes = { channel: text('channel'), metadata: { note: text('note') } }
  const token = async () => ({ token: await cardToken(app, CARDS.approve) })
  const sale = await take({
    account,
    payment_method: method,
    alt_key: keys.saleKey,
    description: text('sale'),
    reason: text('reason'),
    ...notes,
  })
  const authorised = { action: 'AUTH', account, payment_method: await token() }
  const authorisation = await take({ ...authorised, alt_key: keys.authorisationKey, ...notes })
  const released = await take({ ...authorised, payment_method: await token() })
  const spare = { payment_method: { ...(await token()), save: true }, account }
  const recurring = { frequency: 'MONTH', count: 3 }
  const owed = { account, payment_method: method, alt_key: keys.owedKey, description: text('owed') }
  const instalment = await take({ ...owed, recurring })
  const announced = await take({ ...owed, due: '2031-01-01T00:00:00Z' })
  const path = `/payments/${authorisation.id}/capture`
  const key = { alt_key: keys.captureKey, description: text('capture') }
  const { capture } = await post(path, { capture: { amount: '5.00', ...key } })
  const named = { ...keys, method }
  const requests = keyedRequests(named)
  await post('/payments', requests['/payments'], keyed(keys))
  await post(path, requests['/payments/:authorisation/capture'], keyed(keys))
  const refunded = await post(
    `/payments/${sale.id}/refund`,
    requests['/payments/:sale/refund'],
    keyed(keys),
  )
  await post(`/payments/${sale.id}/refund`, { refund: { amount: '2.00', reason: text('reason') } })
  const voided = await post(`/payments/${released.id}/void`, {}, keyed(keys))
  return {
    spareMethod: (await take(spare)).payment_method as string,
    sale: sale.id as string,
    transaction: sale.transaction as string,
    authorisation: authorisation.id as string,
    released: released.id as string,
    capture: capture.id as string,
    refund: refunded.refund.id as string,
    void: voided.void.id as string,
    instalment: instalment.id as string,
    charge: instalment.charge as string,
    contract: instalment.contract as string,
    announced: announced.id as string,
    owedCharge: announced.charge as string,
  }
}

async function newLink({ post, text }: Maker, options: object): Promise<string> {
  const state = { [text('state')]: text('state') }
  return (await post('/payment_links', { payment_link: { options, state } })).payment_link.id
}

async function openSession({ app, keys, text }: Maker, link: string) {
  const headers = { 'user-agent': text('browser') }
  const opened = await app.call(`/pay/${link}/checkouts`, {
    headers,
    body: {
      branding: keys.branding,
      language: 'cy',
      embedded_origin: keys.origin,
    },
  })
  expect(opened.status, opened.text).toBe(200)
  const { token, checkout } = opened.json
  return {
    id: checkout.id as string,
    secret: token.slice(-43) as string,
    async pay(attempt_key: string, more: object, card: string = CARDS.approve): Promise<Json> {
      const method = { type: 'CARD', processor: 'sandbox', token: await cardToken(app, card) }
      const answer = await app.call('/pay/checkouts/current/submit', {
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: { attempt_key, options_v: 1, payment_method: method, ...more },
      })
      expect(answer.status, answer.text).toBe(200)
      return answer.json
    },
  }
}

async function readRecord({ merchant }: Maker, name: string, id: string): Promise<Json> {
  const answer = await merchant.api(`/${name}s/${id}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json[name]
}

/** What the interface tells nobody, or only once time has passed. */
async function findRest(
  { app, merchant }: Maker,
  of: Pick<Names, 'webhook' | 'checkout' | 'openCheckout' | 'owedCharge'>,
) {
  const { deps } = app.checkstand
  await fanOutEvents(deps)
  // Nothing has to have an account to be owed, and whoever pays that must be asked for the rest.
  await deps.db
    .updateTable('charges')
    .set({ account_id: null })
    .where('id', '=', of.owedCharge)
    .execute()
  const { deliveries } = (await merchant.api(`/instance_webhooks/${of.webhook}/deliveries`)).json
  const attemptOf = (checkout: string) =>
    deps.db
      .selectFrom('attempts')
      .select(['id', 'handle'])
      .where('checkout_id', '=', checkout)
      .executeTakeFirstOrThrow()
  const [paid, declined] = [await attemptOf(of.checkout), await attemptOf(of.openCheckout)]
  return {
    delivery: deliveries[0].id as string,
    event: deliveries[0].event as string,
    attempt: paid.id,
    paidHandle: paid.handle as string,
    declinedHandle: declined.handle as string,
  }
}
