import { closeExpiredSessions } from '../server/checkouts/close-sessions.ts'
import { recordExpiries } from '../server/payment-links/expire.ts'
import { reconcileDue } from '../server/payments/reconcile.ts'
import { settleAttempt } from '../server/payments/settle.ts'
import { expect } from 'vitest'
import type { Merchant, TestApp } from './app.ts'
import { CARDS } from './cards.ts'
import type { Json } from './payments-client.ts'
import { newLink, openPayerClient, type PayerClient, resumePayerClient } from './payer-client.ts'
import type { Server } from './second-server.ts'

/** Changes of accounts, links, sessions and strings, and the events that they record. */

type Api = Pick<Server, 'api'>
export const account = async ({ api }: Api, more: object = {}) =>
  (await api('/accounts', { body: { account: { crm_key: 'crm', ...more } } })).json.account
export const putAccount = ({ api }: Api, named: string, change: object) =>
  api(`/accounts/${named}`, { method: 'PUT', body: { account: change } })
export const putLink = ({ api }: Api, id: string, payment_link: object) =>
  api(`/payment_links/${id}`, { method: 'PUT', body: { payment_link } })
export const archive = ({ api }: Api, id: string) =>
  api(`/payment_links/${id}`, { method: 'DELETE' })
export const strings = ({ api }: Api, items: object[]) =>
  api('/strings', { body: { strings: items } })
type Act = (on: Server) => Promise<unknown>
/** Prepares a change for a merchant. Returns the change, to be made at any server. */
type Preparation = (merchant: Merchant) => Promise<Act> | Act

const FIVE = [1, 2, 3, 4, 5]

/** Returns one change each: its name, its preparation, and exactly the events that it records. */
export function recordedChanges(app: TestApp): [string, Preparation, string[]][] {
  const { deps } = app.checkstand
  const payerOf = async (merchant: Merchant, options: object = { amount: '1.00' }) =>
    openPayerClient(app, (await newLink(merchant, { ...options })).id)
  const attemptOf = async ({ checkout }: PayerClient) =>
    deps.db
      .selectFrom('attempts')
      .select('id')
      .where('checkout_id', '=', checkout.id)
      .executeTakeFirstOrThrow()

  /** What is done to a link; `more` are members of its record. */
  const toLink =
    (act: (on: Server, id: string) => Promise<unknown>, more: Record<string, unknown> = {}) =>
    async (merchant: Merchant): Promise<Act> => {
      const { id } = await newLink(merchant, {}, more)
      return (on) => act(on, id)
    }
  /** What a payer does, or what becomes of it, after a payment with the card `before`. */
  const byPayer =
    (act: (payer: PayerClient, on: Server) => Promise<unknown>, before?: string) =>
    async (merchant: Merchant): Promise<Act> => {
      const payer = await payerOf(merchant)
      if (before !== undefined) await payer.payByCard(before)
      return (on) => act(resumePayerClient(on, payer), on)
    }

  return [
    ['making an account', () => (on) => account(on), ['account.created']],
    [
      'changing an account',
      async (m) => {
        const { id } = await account(m)
        return (on) => putAccount(on, id, { company: 'X' })
      },
      ['account.updated'],
    ],
    [
      'changing nothing of an account',
      async (m) => {
        const { id } = await account(m, { company: 'X' })
        return (on) => putAccount(on, id, { company: 'X' })
      },
      [],
    ],
    ['making a link', () => (on) => newLink(on), ['payment_link.created']],
    [
      'a link that is refused',
      () => (on) =>
        on.api('/payment_links', { body: { payment_link: { options: { amount: '0' } } } }),
      [],
    ],
    [
      'changing a link',
      toLink((on, id) => putLink(on, id, { state: 'x' })),
      ['payment_link.updated'],
    ],
    [
      'changing nothing of a link',
      toLink((on, id) => putLink(on, id, { state: 'x' }), { state: 'x' }),
      [],
    ],
    ['archiving a link', toLink(archive), ['payment_link.archived']],
    [
      'archiving a link twice',
      async (m) => {
        const { id } = await newLink(m)
        await archive(m, id)
        return (on) => archive(on, id)
      },
      [],
    ],
    [
      'the expiry of a link',
      async (m) => {
        await newLink(m, {}, { expires: new Date(app.now() + 1).toISOString() })
        app.pass(1)
        return (on) => recordExpiries(on.deps)
      },
      ['payment_link.expired'],
    ],
    ['looking at a link', toLink((on, id) => on.call(`/pay/${id}`)), []],
    [
      'the first session of a link',
      toLink(openPayerClient),
      ['checkout.opened', 'payment_link.opened'],
    ],
    [
      'many first sessions of a link at once',
      async (m) => {
        // Several at once, so that enough connections are open and none has to wait.
        const [{ id }] = (await Promise.all(FIVE.map(() => newLink(m)))) as [Json]
        return (on) => Promise.all(FIVE.map(() => openPayerClient(on, id)))
      },
      [...FIVE.map(() => 'checkout.opened'), 'payment_link.opened'],
    ],
    [
      'a later session of a link',
      byPayer(({ checkout }, on) => openPayerClient(on, checkout.payment_link)),
      ['checkout.opened'],
    ],
    [
      'a session that runs out',
      byPayer((_payer, on) => {
        app.pass(deps.config.checkoutTtlMs)
        return closeExpiredSessions(on.deps)
      }),
      ['checkout.expired'],
    ],
    [
      'a card that is approved',
      byPayer((payer) => payer.payByCard(CARDS.approve)),
      ['checkout.completed', 'checkout.submitted', 'payment_link.payment_success'],
    ],
    [
      'a payer who gives their name and pays',
      byPayer((payer) => payer.payByCard(CARDS.approve, { account: { first_name: 'Ada' } })),
      [
        'account.created',
        'account.updated',
        'checkout.completed',
        'checkout.submitted',
        'payment_link.payment_success',
      ],
    ],
    [
      'a payer whose account is known',
      async (m) => {
        await account(m)
        const payer = await payerOf(m, { amount: '1.00', account: { crm_key: 'crm' } })
        return (on) =>
          resumePayerClient(on, payer).payByCard(CARDS.decline, { account: { first_name: 'Ada' } })
      },
      ['checkout.submitted'],
    ],
    [
      'a card that is declined',
      byPayer((payer) => payer.payByCard(CARDS.decline)),
      ['checkout.submitted'],
    ],
    [
      'a submit that is refused',
      byPayer((payer) => payer.payByCard(CARDS.approve, { amount: '2.00' })),
      [],
    ],
    [
      'a card whose bank wants to see its owner',
      byPayer((payer) => payer.payByCard(CARDS.challenge)),
      ['checkout.submitted'],
    ],
    [
      'a payment that is pending',
      byPayer((payer) => payer.payByCard(CARDS.pendingSuccess)),
      ['checkout.submitted', 'payment_link.payment_pending'],
    ],
    [
      'a pending payment that succeeds',
      byPayer((_payer, { deps }) => {
        app.pass(60_000)
        return reconcileDue(deps)
      }, CARDS.pendingSuccess),
      ['checkout.completed', 'payment_link.payment_success'],
    ],
    [
      'a pending payment that fails',
      byPayer((_payer, { deps }) => {
        app.pass(60_000)
        return reconcileDue(deps)
      }, CARDS.pendingFailure),
      ['payment_link.payment_failed'],
    ],
    [
      'a pending payment that the processor reports as approved',
      byPayer(async (payer, on) => {
        const { id } = await attemptOf(payer)
        await settleAttempt(on.deps, id, { status: 'APPROVED', reference: 'r' })
      }, CARDS.pendingSuccess),
      ['checkout.completed', 'payment_link.payment_success'],
    ],
    [
      'a processor that does not answer',
      byPayer((payer) => payer.payByCard(CARDS.noAnswerTaken)),
      ['checkout.submitted', 'payment_link.payment_pending'],
    ],
    [
      'a payment whose unknown outcome becomes pending',
      byPayer(async (payer, on) => {
        const { id } = await attemptOf(payer)
        const path = `/payment_links/${payer.checkout.payment_link}`
        const before = (await on.api(path)).json
        await settleAttempt(deps, id, { status: 'PENDING', reference: 'r', check_after_ms: 1000 })
        expect((await on.api(path)).json).toEqual(before)
      }, CARDS.noAnswerTaken),
      [],
    ],
    [
      'wording of three sets',
      () => (on) =>
        strings(on, [
          { id: 'methods.title', text: 'A' },
          { id: 'card.code', text: 'B' },
          { id: 'checkout.pay_unknown', text: 'C' },
          { id: 'methods.title', text: 'D' },
        ]),
      ['strings.updated', 'strings.updated', 'strings.updated'],
    ],
    [
      'wording that stands already',
      async (m) => {
        await strings(m, [{ id: 'methods.title', text: 'A' }])
        return (on) => strings(on, [{ id: 'methods.title', text: 'A' }])
      },
      [],
    ],
  ]
}
