import { CARDS } from '../../../test/cards.ts'
import type { ApiResponse } from '../../../test/client.ts'
import type { Client, CrashRun } from '../crash-run.ts'
import { MARK } from '../merchants.ts'

/** A merchant's server that pays, captures, refunds and voids through the API. */

const CARD_MIX = [
  ...Array<string>(7).fill(CARDS.approve),
  CARDS.decline,
  CARDS.noAnswerTaken,
  CARDS.noAnswerNotTaken,
]

/** Reserves an amount, and gives it up or captures more than that in parts at once and undoes some of it. */
export async function authoriseAndCapture(lab: CrashRun, client: Client): Promise<void> {
  const authorised = await take(lab, client, 'AUTH')
  const payment = authorised?.json.payment
  if (payment?.status !== 'SUCCESS') return
  // Stripe captures once and releases the remainder, so that a void comes too late after any capture.
  if (client.random.chance(0.3)) {
    await follow(client, 'void', payment.id)
    return
  }
  const captures = await severally(client, (share) =>
    follow(client, 'capture', payment.id, shareOf(payment.amount, share)),
  )
  if (client.random.chance(0.4)) await follow(client, 'void', payment.id)
  const captured = captures.find((answer) => answer?.json.capture?.status === 'SUCCESS')
  if (captured) await giveBack(client, captured.json.capture)
}

/** Takes an amount and gives parts of it back, more of them at once than there is money for. */
export async function payAndRefund(lab: CrashRun, client: Client): Promise<void> {
  const paid = await take(lab, client, 'PAYMENT')
  if (paid?.json.payment?.status === 'SUCCESS') await giveBack(client, paid.json.payment)
}

async function giveBack(client: Client, payment: { id: string; amount: string }): Promise<void> {
  await severally(client, (share) =>
    follow(client, 'refund', payment.id, shareOf(payment.amount, share)),
  )
}

/** Stores a card for an account, and has the server take a payment from it a moment later. */
export async function collectLater(lab: CrashRun, client: Client): Promise<void> {
  const stored = await storeCard(lab, client)
  if (!stored) return
  const due = new Date(Date.now() + client.random.between(500, 3_000)).toISOString()
  await pay(client, { amount: '7.00', ...stored, due })
}

/** An account and its stored card, as members of a payment. */
export interface StoredCard {
  account: string
  payment_method: string
}

/** Creates an account and stores a card by a first payment. Undefined when one of them failed. */
export async function storeCard(lab: CrashRun, client: Client): Promise<StoredCard | undefined> {
  const account = await createAccount(client)
  if (account === undefined) return undefined
  const first = await take(lab, client, 'PAYMENT', { account }, true)
  const payment_method = first?.json.payment?.payment_method
  return payment_method ? { account, payment_method } : undefined
}

export async function createAccount(client: Client): Promise<string | undefined> {
  const crm_key = client.random.uuid()
  const company = MARK[client.shop]
  const created = await client.insist({
    op: 'account.create',
    path: '/accounts',
    key: client.random.uuid(),
    body: { account: { crm_key, company, email: `${crm_key}@payer.example` } },
  })
  return created?.json.account?.id
}

async function take(
  lab: CrashRun,
  client: Client,
  action: 'AUTH' | 'PAYMENT',
  more: object = {},
  save = false,
): Promise<ApiResponse | undefined> {
  const token = await lab.ledger.newToken(client.random.pick(CARD_MIX))
  const amount = `${client.random.between(5, 60)}.${client.random.between(10, 100)}`
  return pay(client, { action, amount, payment_method: { token, save }, ...more })
}

export function pay(client: Client, payment: object): Promise<ApiResponse | undefined> {
  const key = client.random.uuid()
  return client.insist({
    op: 'pay',
    path: '/payments',
    key,
    // Found by this name in the records, whatever the answer was.
    body: {
      payment: { currency: 'EUR', alt_key: key, description: MARK[client.shop], ...payment },
    },
  })
}

function follow(
  client: Client,
  verb: 'capture' | 'refund' | 'void',
  payment: string,
  amount?: string,
): Promise<ApiResponse | undefined> {
  return client.insist({
    op: verb,
    path: `/payments/${payment}/${verb}`,
    key: client.random.uuid(),
    body: amount === undefined ? {} : { [verb]: { amount } },
  })
}

/** One to three at once, each with a share of between three and seven tenths. */
function severally<T>(client: Client, act: (share: number) => Promise<T>): Promise<T[]> {
  const count = client.random.between(1, 4)
  return Promise.all(Array.from({ length: count }, () => act(client.random.between(3, 8) / 10)))
}

/** A share of an amount with two decimal places. */
function shareOf(amount: string, share: number): string {
  const minor = Math.max(1, Math.floor(Number(amount.replace('.', '')) * share))
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`
}
