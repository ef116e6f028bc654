import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { CARDS } from '../cards.ts'
import type { Json } from '../payments-client.ts'
import { cardToken } from '../payer-client.ts'
import type { Maker } from './maker.ts'

/** Links of a tenant, and what their payers do. */

/** A payer with an account pays, and lets the card be kept. */
export async function makePaidLink(maker: Maker, account: string) {
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
export async function makeOpenLink(maker: Maker) {
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
export async function makeSavedLink(maker: Maker, account: string) {
  return { savedLink: await newLink(maker, { amount: '9.00', account }) }
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
      const response = await app.call('/pay/checkouts/current/submit', {
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: { attempt_key, options_v: 1, payment_method: method, ...more },
      })
      expect(response.status, response.text).toBe(200)
      return response.json
    },
  }
}

async function readRecord({ merchant }: Maker, name: string, id: string): Promise<Json> {
  const response = await merchant.api(`/${name}s/${id}`)
  expect(response.status, response.text).toBe(200)
  return response.json[name]
}
