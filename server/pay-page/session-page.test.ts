import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openNewLink, openPayerClient, returnFromBank } from '../../test/payer-client.ts'
import { DAY_MS, type Json } from '../../test/payments-client.ts'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { pruneBundles, pruneCheckouts } from '../checkouts/prune.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand
const { api } = app.merchant

const pageOf = async ({ checkout }: { checkout: { id: string } }): Promise<Json> => {
  const { status, json, text } = await api(`/checkouts/${checkout.id}/page`)
  expect(status, text).toBe(200)
  return json.page
}
const statesOf = (page: Json) => page.states.map(({ state }: Json) => state)
const pay = (text: string, language = 'default') =>
  api('/strings', { body: { strings: [{ id: 'checkout.pay', language, text }] } })

describe('the page of a session', () => {
  it('has the wording that its payer saw, whatever was published since', async () => {
    await pay('Give {amount}')
    const { payer } = await openNewLink(app)
    await pay('Send {amount}')
    const { checkout } = await pageOf(payer)
    expect(checkout.strings['checkout.pay']).toBe('Give {amount}')
    expect(checkout.strings).toEqual(payer.checkout.strings)
    expect(checkout.terms).toEqual(payer.checkout.terms)
    expect([checkout.status, checkout.result]).toEqual(['OPEN', null])
  })

  it('passes a decline, a confirmation and the receipt, which are shown without ids', async () => {
    const { payer } = await openNewLink(app, {
      amount: '12.50',
      page_success_message: 'See you on Saturday!',
    })
    app.pass(1000)
    await payer.payByCard(CARDS.insufficient)
    app.pass(1000)
    const { action } = (await payer.payByCard(CARDS.challenge)).json
    app.pass(1000)
    await returnFromBank(app, action.url)
    const page = await pageOf(payer)
    expect(statesOf(page)).toEqual(['FORM', 'DECLINED', 'CONFIRM', 'PAID'])
    const [, declined, confirm, paid] = page.states
    expect([declined.notice, declined.result]).toEqual(['errors.insufficient_funds', null])
    expect(confirm.result).toMatchObject({ outcome: 'ACTION', amount: '12.50' })
    expect(confirm.result.action.url).not.toBe(action.url)
    expect(paid.result).toMatchObject({
      outcome: 'COMPLETED',
      message: 'See you on Saturday!',
      method: { brand: 'visa' },
      redirect: null,
      account: null,
      transaction: null,
    })
    expect(page.checkout.methods.map(({ type }: Json) => type)).toContain('CARD')
  })

  it.each([
    ['CHECKING', CARDS.noAnswerTaken],
    ['PENDING', CARDS.pendingSuccess],
  ])('is %s while the payment is', async (state, card) => {
    const { payer } = await openNewLink(app)
    await payer.payByCard(card)
    expect(statesOf(await pageOf(payer))).toEqual(['FORM', state])
  })

  it('says that the terms of its link have changed', async () => {
    const { link, payer } = await openNewLink(app)
    expect((await pageOf(payer)).terms_changed).toBe(false)
    const body = { payment_link: { options: { amount: '99.00' } } }
    await api(`/payment_links/${link.id}`, { method: 'PUT', body })
    const page = await pageOf(payer)
    expect([page.terms_changed, page.checkout.terms.amount]).toEqual([true, '99.00'])
  })

  it('is kept for 400 days if it paid, and for 30 days otherwise', async () => {
    await pay('Donate {amount}')
    const link = await newLink(app.merchant)
    const left = await openPayerClient(app, link.id)
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.approve)
    await pay('Buy for {amount}')
    app.pass(3_600_000)
    await closeExpiredSessions(deps)
    const end = Date.parse(payer.checkout.expires)
    const until = (page: Json) => Math.round((Date.parse(page.kept_until) - end) / DAY_MS)
    expect([until(await pageOf(payer)), until(await pageOf(left))]).toEqual([400, 30])
    const prune = async (days: number) => {
      app.pass(days * DAY_MS)
      await pruneCheckouts(deps)
      await pruneBundles(deps)
    }
    await prune(31)
    expect((await api(`/checkouts/${left.checkout.id}/page`)).status).toBe(404)
    expect((await pageOf(payer)).checkout.strings['checkout.pay']).toBe('Donate {amount}')
    await prune(370)
    expect((await api(`/checkouts/${payer.checkout.id}/page`)).status).toBe(404)
  })
})
