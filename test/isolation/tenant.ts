import { expect } from 'vitest'
import { inTransaction } from '../../server/db/transaction.ts'
import { setUpMethod } from '../../server/method-setups/set-up.ts'
import { forgetLater } from '../../server/payment-methods/forget.ts'
import { syncReversals } from '../../server/payments/sync-reversals.ts'
import { fanOutEvents } from '../../server/webhooks/fan-out.ts'
import type { Merchant, TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { makeGrant } from '../grant.ts'
import { newColleague, signedInBrowser } from '../oauth.ts'
import { cardToken } from '../payer-client.ts'
import { newTaskLink } from '../task-link.ts'
import { connectDisabled } from '../stripe-fake/connect.ts'
import { keyed, keyedRequests } from './keyed-requests.ts'
import { makeEntities } from './make-entities.ts'
import { makeDeepLinks, makeOpenLink, makePaidLink, makeSavedLink } from './make-links.ts'
import { makeMoney } from './make-money.ts'
import type { Maker } from './maker.ts'
import { keysOf, type Names } from './names.ts'

/** A merchant with at least one record of every kind, and their names. */
export interface Tenant {
  merchant: Merchant
  names: Names
}

/** Marks that distinguish a tenant's data from all other data. */
export interface Marks {
  /** Part of every free text of this tenant, and of no other. */
  secret: string
  /** Part of every key and name, which other tenants can guess and may send. */
  keys: string
}

/** Gives a merchant its marked data. The caller chooses the instance's key and users. */
export async function makeTenant(app: TestApp, merchant: Merchant, marks: Marks): Promise<Tenant> {
  const keys = keysOf(marks.keys, merchant.instance.key)
  const maker: Maker = {
    app,
    merchant,
    keys,
    text: (what) => `${marks.secret} ${what}`,
    async post(path, body, call) {
      const response = await merchant.api(path, { body, ...call })
      expect(response.status, `${path}: ${response.text}`).toBe(200)
      return response.json
    },
  }
  const revision = await makeSettings(maker)
  const webhook = await makeWebhook(maker)
  const entities = await makeEntities(maker)
  const account = await makeAccount(maker)
  const paid = await makePaidLink(maker, account)
  const open = await makeOpenLink(maker)
  await makeAlert(maker)
  const saved = await makeSavedLink(maker, account)
  const deep = await makeDeepLinks(maker, account)
  const money = await makeMoney(maker, account, paid.method)
  const names = {
    ...keys,
    ...entities,
    account,
    revision,
    webhook,
    ...paid,
    ...open,
    ...saved,
    ...deep,
    ...money,
  }
  if (app.checkstand.deps.config.mail) {
    await maker.post(`/payment_links/${open.openLink}/send`, { mail: { to: 'ada@example.com' } })
  }
  for (const path of [
    '/accounts',
    '/payment_links',
    '/deep_links',
    '/strings',
    '/instance_webhooks',
  ] as const) {
    await maker.post(path, keyedRequests(keys)[path], keyed(keys))
  }
  for (const verb of ['rotate', 'replay'] as const) {
    const body = keyedRequests(names)[`/instance_webhooks/:webhook/${verb}`]
    await maker.post(`/instance_webhooks/${webhook}/${verb}`, body, keyed(keys))
  }
  const secretKey = await makeSecretKey(maker)
  const view = await makeView(maker)
  const grant = await makeGrant(app, merchant)
  const signedIn = await makeSession(app, merchant)
  const processor = await connectDisabled(app, merchant)
  const token = { processor, processor_token: 'cus_1:pm_1' }
  const { id: instance_id } = merchant.instance
  await inTransaction(app.checkstand.deps.db, (tx) => forgetLater(tx, { instance_id, ...token }))
  await makeMethodSetup(maker, account)
  const task = await makeTaskSession(maker)
  return {
    merchant,
    names: {
      ...names,
      processor,
      secretKey,
      view,
      grant,
      ...signedIn,
      ...task,
      ...(await findRest(maker, names)),
    },
  }
}

/** Returns the id of a revision of strings. */
async function makeSettings({ merchant, keys, text, post }: Maker): Promise<string> {
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
    timezone: 'Asia/Kolkata',
    theme: branding.theme,
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
  const stale = { id: 'checkout.comment', branding: keys.branding, stale_hash: 'x'.repeat(22) }
  await post('/string_acks', { string_acks: [stale] }, { method: 'PUT' })
  const { version } = (await merchant.api('/strings?limit=1')).json.meta
  const changes = [{ id: 'checkout.comment', text: text('wording of a revision') }]
  const revision = { base_version: version, note: text('note'), changes }
  return (await post('/string_revisions', { revision })).string_revision.id
}

async function makeAlert({ text, post }: Maker): Promise<void> {
  const alert = { name: text('alert'), measure: 'SUBMITTED', below: 1, window_minutes: 60 }
  const checkout_monitor = { alerts: [alert] }
  await post('/checkout_monitor/alerts', { checkout_monitor }, { method: 'PUT' })
}

async function makeWebhook({ text, post }: Maker): Promise<string> {
  const url = `https://${text('hooks').replace(' ', '.')}.example/hooks`
  const instance_webhook = { url, events: ['*'], description: text('webhook') }
  return (await post('/instance_webhooks', { instance_webhook })).instance_webhook.id
}

/** Returns the id of a user who is signed in, and that of the session. */
async function makeSession(app: TestApp, merchant: Merchant) {
  const { id: colleague, email } = await newColleague(app, merchant)
  await signedInBrowser(app, email)
  const { id: userSession } = await app.checkstand.deps.db
    .selectFrom('user_sessions')
    .select('id')
    .where('user_id', '=', colleague)
    .executeTakeFirstOrThrow()
  return { colleague, userSession }
}

async function makeView({ text, post }: Maker): Promise<string> {
  const view = { name: text('view'), list: 'payments', query: `q=${text('query')}` }
  return (await post('/views', { view })).view.id
}

async function makeSecretKey({ text, post }: Maker): Promise<string> {
  const secret_key = { name: text('key'), scopes: ['read'] }
  return (await post('/secret_keys', { secret_key })).secret_key.id
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

/** Opens a task of another account. Returns the parts of the session's token. */
async function makeTaskSession({ app, merchant, text }: Maker) {
  const { id } = await newTaskLink(app, merchant)
  const headers = { 'user-agent': text('browser') }
  const { token } = (await app.call(`/go/${id}/sessions`, { body: {}, headers })).json
  const [, ms, random, ...secret] = (token as string).split('_')
  return { taskSession: `${ms}_${random}`, taskSecret: secret.join('_') }
}

/** A method that the sandbox declined to save. */
async function makeMethodSetup({ app, merchant, text }: Maker, account: string): Promise<void> {
  const token = await cardToken(app, CARDS.decline)
  await setUpMethod(app.checkstand.deps, {
    instanceId: merchant.instance.id,
    accountId: account,
    sessionId: `setup ${merchant.instance.id}`,
    attemptKey: 'one',
    requestHash: '',
    page: '/',
    processor: 'sandbox',
    method: { kind: 'NEW', type: 'CARD', token },
    consent: { text: text('consent'), language: 'en' },
    client: {},
    description: text('set-up'),
  })
}

/** Returns names that the API does not return, or returns later. */
async function findRest(
  { app, merchant }: Maker,
  of: Pick<Names, 'webhook' | 'checkout' | 'openCheckout' | 'owedCharge'>,
) {
  const { deps } = app.checkstand
  await fanOutEvents(deps)
  await syncReversals(deps)
  // A charge may have no account; its payer must then be asked for their details.
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
    auditEntry: (await merchant.api('/audit?limit=1')).json.audit[0].id as string,
    delivery: deliveries[0].id as string,
    event: deliveries[0].event as string,
    attempt: paid.id,
    paidHandle: paid.handle as string,
    declinedHandle: declined.handle as string,
  }
}
