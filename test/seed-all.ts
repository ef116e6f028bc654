import { expect } from 'vitest'
import { findOrCreateActorSession } from '../server/actor-sessions/store.ts'
import type { Tables } from '../server/db/tables.ts'
import type { Merchant, TestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { disputePayment } from './dispute.ts'
import { openPaymentsClient } from './payments-client.ts'
import { newDeepLink } from './deep-links.ts'
import { makeGrant } from './grant.ts'
import { newColleague, signedInBrowser } from './oauth.ts'
import { newLink, openPayerClient, readLink } from './payer-client.ts'
import { connectDisabled } from './stripe-fake/connect.ts'

/** Ids of the seeded records. */
export interface SeededIds {
  account: string
  charge: string
  checkout: string
  contract: string
  /** Paid the charge of the contract. */
  instalment: string
  /** To whom all payments belong. */
  legal_entity: string
  legal_entity_route: string
  /** Paid the link. */
  payment: string
  deep_link: string
  payment_link: string
  payment_method: string
  /** Of the client that created the account. */
  session: string
  /** Of the payment that paid the link. */
  transaction: string
}

/** Creates at least one record of every kind that can be listed or expanded. */
export async function seedAll(app: TestApp, merchant: Merchant): Promise<SeededIds> {
  const [legal_entity, legal_entity_route] = await seedEntity(merchant, `nord-${app.now()}`)
  const account = await post(merchant, 'account', { crm_key: 'payer' })
  const session = await nameMaker(app, merchant, account.id)
  const link = await newLink(merchant, { amount: '12.50', account: account.id, save_card: true })
  const payer = await openPayerClient(app, link.id)
  expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  const { payment, payment_method, transaction } = await readLink(merchant, link.id)
  const paymentsClient = openPaymentsClient(app, merchant)
  const authorisation = await paymentsClient.authorise(undefined, { account: account.id })
  expect((await paymentsClient.capture(authorisation.id, { amount: '10.00' })).status).toBe(200)
  expect((await paymentsClient.release(authorisation.id)).status).toBe(200)
  const instalment = await paymentsClient.pay(undefined, {
    account: account.id,
    payment_method,
    recurring: { frequency: 'MONTH', count: 3 },
  })
  expect((await paymentsClient.refund(instalment.id, { amount: '1.00' })).status).toBe(200)
  await disputePayment(app, merchant, instalment.id)
  const processor_id = await connectDisabled(app, merchant)
  await app.checkstand.deps.db
    .updateTable('legal_entity_routes')
    .set({ processor_id })
    .where('id', '=', legal_entity_route)
    .execute()
  const hook = { url: 'https://shop.example/hook', events: ['*'] }
  const { id: webhook } = await post(merchant, 'instance_webhook', hook)
  const tested = await merchant.api(`/instance_webhooks/${webhook}/test`, { method: 'POST' })
  expect(tested.status, tested.text).toBe(200)
  await seedStrings(app, merchant)
  await post(merchant, 'view', {
    name: `Since ${app.now()}`,
    list: 'payments',
    query: 'where=amount>1000',
  })
  await post(merchant, 'secret_key', { name: 'Accounting', scopes: ['read'] })
  await makeGrant(app, merchant)
  await signedInBrowser(app, (await newColleague(app, merchant)).email)
  const deepLink = await newDeepLink(merchant)
  return {
    account: account.id,
    charge: instalment.charge,
    checkout: payer.checkout.id,
    contract: instalment.contract,
    instalment: instalment.id,
    legal_entity,
    legal_entity_route,
    deep_link: deepLink.id,
    payment,
    payment_link: link.id,
    payment_method,
    session,
    transaction,
  }
}

/** Creates a legal entity and a route that leads to it, which comes first. */
async function seedEntity(
  { api }: Merchant,
  alt_key: string,
): Promise<[entity: string, route: string]> {
  const legal_entity = { alt_key, name: 'Nord', legal_name: 'Atelier Nord SAS', country: 'FR' }
  const made = await api('/legal_entities', { body: { legal_entity } })
  expect(made.status, made.text).toBe(200)
  const { id } = made.json.legal_entity
  const legal_entity_route = { legal_entity: id, position: 1 }
  const routed = await api('/legal_entity_routes', { body: { legal_entity_route } })
  expect(routed.status, routed.text).toBe(200)
  return [id, routed.json.legal_entity_route.id]
}

/** Saves two strings, once as a revision, and finds two right. */
async function seedStrings(app: TestApp, { api }: Merchant): Promise<void> {
  const strings = [{ id: 'methods.title', text: `How to pay at ${app.now()}` }]
  const saved = await api('/strings', { body: { strings } })
  expect(saved.status, saved.text).toBe(200)
  const { version } = (await api('/strings?limit=1')).json.meta
  const changes = [{ id: 'checkout.comment', language: 'fr', text: `Un mot, ${app.now()}` }]
  const revision = { base_version: version, note: 'Seeded', changes }
  const published = await api('/string_revisions', { body: { revision } })
  expect(published.status, published.text).toBe(200)
  const stale_hash = 'x'.repeat(22)
  const string_acks = ['methods.title', 'checkout.comment'].map((id) => ({ id, stale_hash }))
  const found = await api('/string_acks', { method: 'PUT', body: { string_acks } })
  expect(found.status, found.text).toBe(200)
}

async function post(merchant: Merchant, name: string, record: Record<string, unknown>) {
  const response = await merchant.api(`/${name}s`, { body: { [name]: record } })
  expect(response.status, response.text).toBe(200)
  return response.json[name]
}

/** Notes a session that is the same for every run of a test as the maker of an account. */
async function nameMaker(app: TestApp, merchant: Merchant, account: string): Promise<string> {
  const { deps } = app.checkstand
  const session = await findOrCreateActorSession(deps, merchant.instance.id, {
    type: 'API_KEY',
    credential: 'k',
  })
  await deps.db
    .updateTable('accounts')
    .set({ created_session: session, updated_session: session })
    .where('id', '=', account)
    .execute()
  return session
}

/** Copies of what `makeEverything` made, each with ids of its own that point to its own copies. */
export async function seedMore(app: TestApp, made: SeededIds, copies: number): Promise<void> {
  // In the order in which rows may refer to each other.
  await copyRows('accounts', 'id', made.account)
  await copyRows('payment_methods', 'id', made.payment_method)
  await copyRows('contracts', 'id', made.contract)
  await copyRows('charges', 'id', made.charge)
  await copyRows('transactions', 'id', made.transaction)
  await copyRows('payment_links', 'id', made.payment_link)
  await copyRows('checkouts', 'id', made.checkout)
  await copyRows('payments', 'id', made.payment)
  await copyRows('payments', 'id', made.instalment)
  await copyRows('payment_parts', 'payment_id', made.instalment)
  await copyRows('attempts', 'payment_id', made.payment)

  async function copyRows(table: keyof Tables, column: string, id: string): Promise<void> {
    const { db } = app.checkstand.deps
    const original = await db
      .selectFrom(table as 'accounts')
      .selectAll()
      .where(column as 'id', '=', id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: copies }, (_, n) => copyOf(original, n) as never)
    for (let start = 0; start < copies; start += 250) {
      await db
        .insertInto(table)
        .values(rows.slice(start, start + 250))
        .execute()
    }
  }

  function copyOf(original: object, n: number): object {
    const { session: _shared, legal_entity: _entity, legal_entity_route: _route, ...own } = made
    const ids = new Set<unknown>(Object.values(own))
    return Object.fromEntries(
      Object.entries(original).map(([name, value]) => {
        const differs = ids.has(value) || ['id', 'reference', 'handle'].includes(name)
        return [name, differs && value !== null ? `${value}x${n}` : value]
      }),
    )
  }
}
