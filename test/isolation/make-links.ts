import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { CARDS } from '../cards.ts'
import { openPayerClient, openPayerClientAt, readLink } from '../payer-client.ts'
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
  const { payByCard, checkout } = await openSession(maker, paidLink)
  const { json } = await payByCard(CARDS.approve, { attempt_key: attemptKey })
  expect(json.outcome).toBe('COMPLETED')
  const { payment_method: method } = await readLink(maker.merchant, paidLink)
  return { paidLink, attemptKey, checkout: checkout.id as string, method: method as string }
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
  const { payByCard, checkout, token } = await openSession(maker, openLink)
  const account = { last_name: text('typed'), phone: text('typed') }
  const typed = { alt_key: keys.typedKey, description: text('comment'), account }
  expect((await payByCard(CARDS.decline, typed)).json.outcome).toBe('DECLINED')
  return { openLink, openCheckout: checkout.id as string, payerSecret: token.slice(-43) }
}

/** A link whose payer may choose the card that was kept. */
export async function makeSavedLink(maker: Maker, account: string) {
  return { savedLink: await newLink(maker, { amount: '9.00', account }) }
}

/** A poster, and a link to a task of the account. */
export async function makeDeepLinks(maker: Maker, account: string) {
  const { post, text } = maker
  // A slug is unique on the server, so the tenants do not choose it from a common word.
  const slug = `poster-${randomUUID()}`
  const options = { name: text('poster'), page_intro: text('intro'), amount: '8.00' }
  const body = { deep_link: { action: 'PAY', slug, options } }
  const { deep_link: poster } = await post('/deep_links', body)
  const donor = await openPayerClientAt(maker.app, `/go/${slug}`)
  await donor.payByCard(CARDS.approve, { account: { last_name: text('donor') } })
  const task = { action: 'PAY_CHARGES', account, expires: '2030-05-20T00:00:00Z' }
  const { deep_link: ofAccount } = await post('/deep_links', { deep_link: task })
  return { deepLink: poster.id as string, slug, taskLink: ofAccount.id as string }
}

async function newLink({ post, text }: Maker, options: object): Promise<string> {
  const state = { [text('state')]: text('state') }
  return (await post('/payment_links', { payment_link: { options, state } })).payment_link.id
}

const openSession = ({ app, keys, text }: Maker, link: string) =>
  openPayerClient(app, link, {
    headers: { 'user-agent': text('browser') },
    body: { branding: keys.branding, language: 'cy', embedded_origin: keys.origin },
  })
