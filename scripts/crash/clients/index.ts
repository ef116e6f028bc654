import type { Client, CrashRun } from '../crash-run.ts'
import type { Random } from '../../../test/random.ts'
import type { MerchantName } from '../merchants.ts'
import { editLink, saveWords } from './edit-link.ts'
import { moveDefault, prepareEntities } from './move-default.ts'
import { authoriseAndCapture, collectLater, payAndRefund } from './move-money.ts'
import { payCharge } from './pay-charges.ts'
import { archiveLink, payLink } from './pay-links.ts'
import { redeemCode, signIn } from './redeem-code.ts'
import { saveCards, useDeepLink } from './use-deep-links.ts'

/** The twenty clients of a crash run: what each does, over and over, and for which shop. */

type Act = (lab: CrashRun, client: Client) => Promise<void>

const CLIENTS: [shop: MerchantName, acts: Act[]][] = [
  ['first', [payLink]],
  ['first', [payLink]],
  ['first', [payLink, archiveLink]],
  ['second', [payLink, archiveLink]],
  ['first', [useDeepLink]],
  ['first', [useDeepLink, saveCards]],
  ['second', [useDeepLink, saveCards]],
  ['first', [payCharge]],
  ['first', [authoriseAndCapture]],
  ['first', [authoriseAndCapture, payAndRefund]],
  ['second', [authoriseAndCapture, payAndRefund]],
  ['first', [payAndRefund]],
  ['first', [collectLater]],
  ['second', [collectLater]],
  ['first', [editLink, moveDefault]],
  ['first', [editLink]],
  ['second', [editLink, moveDefault]],
  ['first', [saveWords]],
  ['second', [saveWords]],
  ['first', [redeemCode]],
]

/** Milliseconds between two acts of one client: enough to be many, and to let others in. */
const REST_MS = 40

/** Makes what clients share, while nothing is broken yet. */
export async function prepareMerchants(
  lab: CrashRun,
  receiverUrl: string,
  random: Random,
): Promise<void> {
  for (const shop of ['first', 'second'] as const) {
    const client = lab.newClient(`setup-${shop}`, shop, random.fork(shop))
    for (let links = 0; links < 3; links += 1) {
      const path = '/payment_links'
      const response = await client.send({ op: 'prepare', path, body: { payment_link: {} } })
      lab.links[shop].push(response?.json.payment_link.id)
    }
    const instance_webhook = { url: `${receiverUrl}/${shop}`, events: ['*'] }
    const path = '/instance_webhooks'
    const webhook = await client.send({ op: 'prepare', path, body: { instance_webhook } })
    lab.webhookSecrets.set(shop, webhook?.json.instance_webhook.secret)
    await prepareEntities(lab, client)
  }
  await signIn(lab, lab.newClient('browser', 'first', random))
}

/** Runs all clients until the gate ends the run. Resolves when all have stopped. */
export async function runClients(lab: CrashRun, random: Random): Promise<void> {
  await Promise.all(
    CLIENTS.map(async ([shop, acts], at) => {
      const client = lab.newClient(`client${at + 1}`, shop, random.fork(`client${at + 1}`))
      while (!lab.gate.isOver()) {
        await client.random.pick(acts)(lab, client)
        await new Promise((resolve) => setTimeout(resolve, client.random.between(0, REST_MS)))
      }
    }),
  )
}
