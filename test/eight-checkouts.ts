import type { Merchant, TestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { newLink, openPayerClient, type PayerClient, returnFromBank } from './payer-client.ts'

/** Opens a session on a new link of 12.50. */
export async function openCheckout(
  app: TestApp,
  merchant: Merchant,
  options: object,
  language: string,
): Promise<PayerClient> {
  const link = await newLink(merchant, { amount: '12.50', ...options })
  return openPayerClient(app, link.id, { body: { language } })
}

/** Eight sessions that go every way. */
export async function openEightCheckouts(app: TestApp, merchant: Merchant): Promise<void> {
  const open = (options: object = {}, language = 'en') =>
    openCheckout(app, merchant, options, language)
  const paid = await open({ channel: 'shop' }, 'de')
  app.pass(47_000)
  await paid.payByCard(CARDS.approve, { milliseconds_since: { details_done: 9, method_chosen: 5 } })
  const retried = await open({ channel: 'shop', currency: 'USD' })
  await retried.payByCard(CARDS.insufficient)
  await retried.payByCard(CARDS.insufficient)
  await retried.payByCard(CARDS.approve)
  const challenged = await open()
  const { json } = await challenged.payByCard(CARDS.challenge)
  await returnFromBank(app, json.action.url)
  await (await open()).payByCard(CARDS.pendingSuccess)
  await (await open()).payByCard(CARDS.noAnswerNotTaken)
  await (await open()).payByCard(CARDS.decline)
  const { token } = await open()
  const headers = { authorization: `Bearer ${token}` }
  await app.call('/pay/checkouts/current?method_chosen=0', { headers })
  await open()
}
