import { CARDS } from '../../../test/cards.ts'
import type { Client, CrashRun } from '../crash-run.ts'
import { createAccount } from './move-money.ts'
import { mailedOptions, payOnce, visitBank } from './pay-links.ts'

/** Payers who share a deep link with few uses, and customers who save cards by one. */

const MAX_USES = 4

/** Has up to three payers use the deep link of the shop at once, and gives it more uses when it has none. */
export async function useDeepLink(lab: CrashRun, client: Client): Promise<void> {
  const { random, shop } = client
  const link = (lab.deepLinks[shop] ??= await createDeepLink(client))
  if (link === undefined) return
  const payers = random.between(1, 4)
  const used = await Promise.all(Array.from({ length: payers }, () => payOnce(lab, client, link)))
  const path = `/deep_links/${link}`
  if (random.chance(0.05)) {
    await client.send({ op: 'link.archive', path, method: 'DELETE', about: { link } })
    delete lab.deepLinks[shop]
  } else if (!used.includes(true)) {
    const read = await client.send({ op: 'deep_link.read', path })
    const { status, max_uses } = read?.json.deep_link ?? {}
    if (status === 'EXHAUSTED' && random.chance(0.5)) {
      const body = { mode: 'PATCH', deep_link: { max_uses: max_uses + 2 } }
      await client.send({ op: 'deep_link.edit', path, method: 'PUT', body })
    } else delete lab.deepLinks[shop]
  }
}

async function createDeepLink(client: Client): Promise<string | undefined> {
  const options = { ...mailedOptions(client), amount: '5.00', currency: 'EUR' }
  return postDeepLink(client, { action: 'PAY', max_uses: MAX_USES, options })
}

async function postDeepLink(client: Client, deep_link: object): Promise<string | undefined> {
  const created = await client.insist({
    op: 'deep_link.create',
    path: '/deep_links',
    key: client.random.uuid(),
    body: { deep_link },
  })
  return created?.json.deep_link?.id
}

const CARD_MIX = [
  CARDS.approve,
  CARDS.mastercard,
  CARDS.decline,
  CARDS.challenge,
  CARDS.noAnswerTaken,
  CARDS.noAnswerNotTaken,
]

/** Saves cards of a customer, some at once, by a link that can be used twice. */
export async function saveCards(lab: CrashRun, client: Client): Promise<void> {
  const { random } = client
  const account = await createAccount(client)
  if (account === undefined) return
  const expires = new Date(Date.now() + 20 * 86_400_000).toISOString()
  const task = { action: 'ADD_PAYMENT_METHOD', account, expires, max_uses: 2 }
  const link = await postDeepLink(client, task)
  if (link === undefined) return
  const path = `/go/${link}/sessions`
  const opened = await client.send({ op: 'task.open', path, body: {}, isOpen: true })
  if (opened?.json.token === undefined) return
  const headers = { authorization: `Bearer ${opened.json.token}` }
  const save = async () => {
    const attempt = random.uuid()
    const token = await lab.ledger.newToken(random.pick(CARD_MIX))
    const response = await client.insist({
      op: 'task.save',
      path: '/go/sessions/current/payment_method',
      isOpen: true,
      headers,
      body: {
        attempt_key: attempt,
        payment_method: { type: 'CARD', processor: lab.processors[client.shop], token },
      },
      about: { link, attempt },
    })
    const { outcome, action_url } = response?.json.task?.result ?? {}
    if (outcome === 'ACTION') await visitBank(lab, client, action_url)
  }
  for (let tries = 0; tries < 2; tries += 1) {
    await Promise.all(Array.from({ length: random.between(1, 3) }, save))
  }
}
