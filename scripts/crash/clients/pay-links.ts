import type { Client, CrashRun } from '../crash-run.ts'
import { CARDS } from '../../../test/cards.ts'
import { MARK } from '../merchants.ts'

/** Payers on payment links, and what their merchant does with the links meanwhile. */

const CARD_MIX = [
  ...Array<string>(6).fill(CARDS.approve),
  CARDS.decline,
  CARDS.challenge,
  CARDS.pendingSuccess,
  CARDS.pendingFailure,
  CARDS.noAnswerTaken,
  CARDS.noAnswerNotTaken,
]

/** Makes a link and has one or two payers pay it at the same time. */
export async function payLink(lab: CrashRun, client: Client): Promise<void> {
  const link = await makeLink(client)
  if (link === undefined) return
  const payers = client.random.chance(0.3) ? 2 : 1
  await Promise.all(Array.from({ length: payers }, () => payOnce(lab, client, link)))
}

/** Archives a link that a payer is about to pay. A payment that starts later must be refused. */
export async function archiveLink(lab: CrashRun, client: Client): Promise<void> {
  const link = await makeLink(client)
  const opened = link === undefined ? undefined : await openLink(client, link)
  if (!opened) return
  const early = client.random.chance(0.3) ? submit(lab, client, opened) : undefined
  await client.send({
    op: 'link.archive',
    path: `/payment_links/${link}`,
    method: 'DELETE',
    about: { link },
  })
  await submit(lab, client, opened)
  await early
}

async function makeLink(client: Client): Promise<string | undefined> {
  return createLink(client, {
    amount: '12.50',
    currency: 'EUR',
    // Begins a contract, whose second charge is due after the run.
    ...(client.random.chance(0.2) && { recurring: { frequency: 'MONTH', count: 2 } }),
  })
}

/** Creates a link whose receipts are sent by mail. `more` adds options. */
export async function createLink(client: Client, more: object): Promise<string | undefined> {
  const created = await client.insist({
    op: 'link.create',
    path: '/payment_links',
    key: client.random.uuid(),
    body: { payment_link: { options: { ...mailedOptions(client), ...more } } },
  })
  return created?.json.payment_link?.id
}

/** Options by which each payer gets a receipt by mail. */
export function mailedOptions({ shop, random }: Client): object {
  const account = { email: `${random.uuid()}@payer.example` }
  return { name: MARK[shop], receipt_email: true, account }
}

interface Opened {
  /** The id of the payment link or deep link. */
  link: string
  checkout: string
  headers: Record<string, string>
}

async function openLink(client: Client, link: string): Promise<Opened | undefined> {
  const response = await client.send({
    op: 'open',
    path: `/${link.startsWith('dl_') ? 'go' : 'pay'}/${link}/checkouts`,
    body: {},
    isOpen: true,
    about: { link },
  })
  if (response?.status !== 200 || response.json.token === undefined) return undefined
  const { token, checkout } = response.json
  return { link, checkout: checkout.id, headers: { authorization: `Bearer ${token}` } }
}

/** Opens a payment link or deep link and pays it. Returns false when it can not be paid any more. */
export async function payOnce(lab: CrashRun, client: Client, link: string): Promise<boolean> {
  const opened = await openLink(client, link)
  if (!opened) return false
  const outcome = await submit(lab, client, opened)
  await client.send({
    op: 'current',
    path: '/pay/checkouts/current',
    headers: opened.headers,
    isOpen: true,
    about: { checkout: opened.checkout },
  })
  // A payer who was declined tries another card, in the same session.
  if (outcome === 'DECLINED') await submit(lab, client, opened, CARDS.approve)
  return outcome !== 'GONE'
}

/** Submits the payment, and repeats it with the same key until a response comes. */
async function submit(
  lab: CrashRun,
  client: Client,
  { link, checkout, headers }: Opened,
  card = client.random.pick(CARD_MIX),
): Promise<string | undefined> {
  const token = await lab.ledger.newToken(card)
  const attempt = client.random.uuid()
  const response = await client.insist({
    op: 'submit',
    path: '/pay/checkouts/current/submit',
    isOpen: true,
    headers,
    body: {
      attempt_key: attempt,
      options_v: 1,
      payment_method: { type: 'CARD', processor: lab.processors[client.shop], token },
    },
    about: { link, checkout, attempt },
  })
  if (response?.json.outcome === 'ACTION') await visitBank(lab, client, response.json.action.url)
  return response?.json.outcome
}

/** Approves or declines at the bank and returns from it, or leaves. */
export async function visitBank(lab: CrashRun, client: Client, url: string): Promise<void> {
  if (client.random.chance(0.2)) return
  const back = await lab.ledger.choose(url, client.random.chance(0.7) ? 'approve' : 'decline')
  if (back === undefined || client.random.chance(0.2)) return
  await client.send({ op: 'return', path: new URL(back).pathname, isOpen: true })
}
