import { randomUUID } from 'node:crypto'
import type { Checkstand } from '../index.ts'
import type { Profile } from './profile.ts'
import { UsageError } from './usage.ts'

/** What brings an event about, in a test instance. The event is as true as those of payers. */
const TRIGGERS: Readonly<Record<string, (shop: Shop) => Promise<void>>> = {
  'payment_link.created': async (shop) => void (await shop.link()),
  'payment_link.archived': async ({ link, client }) => {
    await client.paymentLinks.archive((await link()).id)
  },
  'payment_link.opened': async ({ link, open }) => void (await open(await link())),
  'payment_link.payment_success': ({ pay }) => pay('4242424242424242'),
  'payment_link.payment_failed': ({ pay }) => pay('4000000000000002'),
  'payment_link.payment_pending': ({ pay }) => pay('4000000000000077'),
  'payment.success': ({ pay }) => pay('4242424242424242'),
  'payment.decline': ({ pay }) => pay('4000000000000002'),
  'payment.pending': ({ pay }) => pay('4000000000000077'),
  'refund.success': async ({ pay, client }) => {
    const alt_key = `trigger-${randomUUID()}`
    await pay('4242424242424242', { alt_key })
    await client.payments.refund(alt_key)
  },
  'account.created': async ({ client }) => {
    await client.accounts.create({ crm_key: `trigger-${randomUUID()}`, first_name: 'Ada' })
  },
}

export const TRIGGERED: readonly string[] = Object.keys(TRIGGERS)

interface Shop {
  client: Checkstand
  link: (options?: object) => Promise<{ id: string }>
  open: (link: { id: string }) => Promise<{ token: string; checkout: { options_v: number } }>
  pay: (card: string, options?: object) => Promise<void>
}

/** Brings an event about. Throws a UsageError for a type that it does not know, and for a live instance. */
export async function trigger(type: string, profile: Profile, client: Checkstand): Promise<void> {
  const act = Object.hasOwn(TRIGGERS, type) ? TRIGGERS[type] : undefined
  if (!act) throw new UsageError(`trigger knows ${TRIGGERED.join(', ')}`)
  const { mode } = await client.instance.get()
  if (mode !== 'TEST')
    throw new UsageError('trigger is for test instances: this one takes real money')
  await act(shopOf(profile, client))
}

function shopOf({ baseUrl }: Profile, client: Checkstand): Shop {
  const link: Shop['link'] = (options = {}) =>
    Promise.resolve(
      client.paymentLinks.create({
        options: { amount: '24.00', name: 'Made by trigger', ...options },
      }),
    )
  const open: Shop['open'] = ({ id }) => post(baseUrl, `/pay/${id}/checkouts`, {})
  return {
    client,
    link,
    open,
    async pay(card, options) {
      const { token, checkout } = await open(await link(options))
      const { token: cardToken } = await post<{ token: string }>(baseUrl, '/sandbox/tokens', {
        card: { number: card, exp_month: 12, exp_year: 2040, csc: '123' },
      })
      // The server wants the time that a person takes.
      await new Promise((resolve) => setTimeout(resolve, 1100))
      const submit = {
        attempt_key: randomUUID(),
        options_v: checkout.options_v,
        payment_method: { type: 'CARD', processor: 'sandbox', token: cardToken },
      }
      await post(baseUrl, '/pay/checkouts/current/submit', submit, token)
    },
  }
}

/** Does what the payer's page does. */
async function post<Answer>(
  baseUrl: string,
  path: string,
  body: object,
  token?: string,
): Promise<Answer> {
  const response = await fetch(new URL(path, baseUrl), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  })
  const text = await response.text()
  // A decline is an outcome.
  if (response.status >= 500 || (response.status >= 400 && response.status !== 402)) {
    throw new Error(`${path} answered ${response.status}: ${text}`)
  }
  return JSON.parse(text) as Answer
}
