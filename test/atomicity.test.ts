import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { describe, expect, it } from 'vitest'
import { changeAccount } from '../server/accounts/change.ts'
import { createAccount } from '../server/accounts/create.ts'
import { SYSTEM, findOrCreateActorSession } from '../server/actor-sessions/store.ts'
import { closeExpiredSessions } from '../server/checkouts/close-sessions.ts'
import { openCheckout } from '../server/checkouts/open-session.ts'
import { resumeCheckout } from '../server/checkouts/session.ts'
import { submitCheckout } from '../server/checkouts/submit.ts'
import { createNamedLocks } from '../server/db/named-locks.ts'
import type { Deps } from '../server/deps.ts'
import { archiveLink } from '../server/payment-links/archive.ts'
import { changeLink } from '../server/payment-links/change.ts'
import { createLink } from '../server/payment-links/create.ts'
import { recordExpiries } from '../server/payment-links/expire.ts'
import { reconcileDue } from '../server/payments/reconcile.ts'
import { settleAttempt } from '../server/payments/settle.ts'
import { saveStrings } from '../server/strings/save.ts'
import { type Merchant, startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { cardToken, newLink, openPayerClient } from './payer-client.ts'

/** A change and its event are both stored, or neither is. */

const app = await startTestApp()
const { deps, database } = app.checkstand

/** Fails right after an event was written: the last moment at which a change can still be undone. */
const FAILS_AFTER_EVENT: KyselyPlugin = (() => {
  const events = new WeakSet<object>()
  return {
    transformQuery({ queryId, node }) {
      if (writesEvent(node)) events.add(queryId)
      return node
    },
    async transformResult({ queryId, result }) {
      if (events.has(queryId)) throw new Error('planted')
      return result
    },
  }
})()

function writesEvent(node: RootOperationNode): boolean {
  return node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes('"events"')
}

function failing(): Deps {
  const db = deps.db.withPlugin(FAILS_AFTER_EVENT)
  return { ...deps, db, locks: createNamedLocks(db, database.kind) }
}

type Act = (broken: Deps) => Promise<unknown>

const payerOf = async (merchant: Merchant) =>
  openPayerClient(app, (await newLink(merchant, { amount: '1.00' })).id)

/** One change each: how it is prepared, and what is then tried. */
const CHANGES: [string, (merchant: Merchant) => Promise<Act>][] = [
  [
    'making an account',
    async ({ instance }) => {
      const by = await findOrCreateActorSession(deps, instance.id, SYSTEM)
      return (broken) => createAccount(broken, instance.id, { crm_key: 'a' }, by)
    },
  ],
  [
    'changing an account',
    async ({ instance }) => {
      const by = await findOrCreateActorSession(deps, instance.id, SYSTEM)
      const { id } = await createAccount(deps, instance.id, { crm_key: 'a' }, by)
      return (broken) => changeAccount(broken, instance.id, id, { change: { company: 'X' }, by })
    },
  ],
  [
    'making a link',
    async ({ instance }) =>
      (broken) =>
        createLink(broken, instance, {}),
  ],
  [
    'changing a link',
    async (merchant) => {
      const { id } = await newLink(merchant)
      const request = { change: { state: 'x' }, mode: 'PATCH', ifMatch: undefined } as const
      return (broken) => changeLink(broken, merchant.instance, id, request)
    },
  ],
  [
    'archiving a link',
    async (merchant) => {
      const { id } = await newLink(merchant)
      return (broken) => archiveLink(broken, merchant.instance.id, id)
    },
  ],
  [
    'the expiry of a link',
    async (merchant) => {
      await newLink(merchant, {}, { expires: new Date(app.now() + 1).toISOString() })
      app.pass(1)
      return recordExpiries
    },
  ],
  [
    'opening a session',
    async (merchant) => {
      const { id } = await newLink(merchant)
      return (broken) => openCheckout(broken, id, {}, {})
    },
  ],
  [
    'a session that runs out',
    async (merchant) => {
      await payerOf(merchant)
      app.pass(deps.config.checkoutTtlMs)
      return closeExpiredSessions
    },
  ],
  [
    'a payer’s submit',
    async (merchant) => {
      const payer = await payerOf(merchant)
      const opened = await resumeCheckout(deps, `Bearer ${payer.token}`)
      const sent = {
        attempt_key: crypto.randomUUID(),
        options_v: 1,
        account: { first_name: 'Ada' },
        payment_method: { type: 'CARD', token: await cardToken(app, CARDS.approve) },
      }
      return (broken) => submitCheckout(broken, opened, sent, {})
    },
  ],
  [
    'the outcome of a payment',
    async (merchant) => {
      const payer = await payerOf(merchant)
      await payer.payByCard(CARDS.pendingSuccess)
      const { id } = await deps.db
        .selectFrom('attempts')
        .select('id')
        .where('checkout_id', '=', payer.checkout.id)
        .executeTakeFirstOrThrow()
      return (broken) => settleAttempt(broken, id, { status: 'APPROVED', reference: 'r' })
    },
  ],
  [
    'saving wording',
    async ({ instance }) => {
      const items = [{ id: 'methods.title', text: 'How' }]
      return (broken) => saveStrings(broken, instance, items)
    },
  ],
]

const TABLES = [
  'accounts',
  'payment_links',
  'checkouts',
  'payments',
  'transactions',
  'attempts',
  'payment_methods',
  'strings',
  'events',
] as const

/** Everything that a merchant has. */
async function everything({ instance }: Merchant): Promise<Record<string, unknown[]>> {
  const tables = TABLES.map(async (table) => {
    const rows = await deps.db
      .selectFrom(table)
      .selectAll()
      .where('instance_id', '=', instance.id)
      .orderBy('id')
      .execute()
    return [table, rows] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

describe('a change that fails after its event was written', () => {
  it.each(CHANGES)('%s: leaves neither the change nor the event', async (_what, prepare) => {
    const merchant = await app.newMerchant()
    const act = await prepare(merchant)
    const before = await everything(merchant)
    await expect(act(failing())).rejects.toThrow('planted')
    expect(await everything(merchant)).toEqual(before)
    // And it was the failure alone that stood in the way.
    await act(deps)
    const after = await everything(merchant)
    expect(after['events']?.length).toBeGreaterThan(before['events']?.length ?? 0)
    expect(after).not.toEqual(before)
  })
})

describe('a payment whose outcome could not be written', () => {
  it('records its event once, when reconciliation is repeated', async () => {
    const merchant = await app.newMerchant()
    const payer = await payerOf(merchant)
    await payer.payByCard(CARDS.pendingSuccess)
    const eventTypes = async () =>
      (await everything(merchant))['events']
        ?.map((row) => (row as { type: string }).type)
        .filter((type) => type === 'payment_link.payment_success')
    app.pass(2000)
    await reconcileDue(failing())
    expect(app.logged()).toContain('planted')
    expect(await eventTypes()).toEqual([])
    app.pass(60_000)
    await reconcileDue(deps)
    await reconcileDue(deps)
    expect(await eventTypes()).toEqual(['payment_link.payment_success'])
  })
})
