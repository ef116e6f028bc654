import { describe, expect, it } from 'vitest'
import { reconcileDue } from '../payments/reconcile.ts'
import { startTestApp } from '../../test/app.ts'
import {
  CARDS,
  completeChallenge,
  sandboxCharges,
  newLink,
  openPayerClient,
  readLink,
} from '../../test/payer-client.ts'

/** A bank that wants to hear from the payer first (contract sections 7.1 and 17). */

const app = await startTestApp()
const { deps } = app.checkstand

/** Lets time pass and the reconciler look, as it does by itself in a running server. */
async function later(ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(deps)
}

describe('a bank that asks the payer first', () => {
  it('is paid after Approve, and the bank returns the payer by 303', async () => {
    const link = await newLink(app.merchant, {
      amount: '9.00',
      success_url: 'https://shop.example/ok#top',
      skip_receipt: true,
    })
    const payer = await openPayerClient(app, link.id)
    const { json } = await payer.payByCard(CARDS.challenge)
    expect(json).toMatchObject({ outcome: 'ACTION', action: { type: 'REDIRECT' } })
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.current()).json.checkout).toMatchObject({
      status: 'SUBMITTED',
      result: { outcome: 'ACTION' },
    })
    const back = new URL(await completeChallenge(app, json.action.url, 'approve'))
    expect(back.pathname).toMatch(/^\/pay\/checkouts\/[\w-]{32}\/return$/)
    const returned = await app.call(back.pathname)
    expect(returned.status).toBe(303)
    const paid = await readLink(app.merchant, link.id, 'payment')
    expect(paid.payment.three_ds).toEqual({ status: 'CHALLENGED', liability_shift: true })
    expect(returned.headers.get('location')).toBe(
      `https://shop.example/ok?payment_link=${link.id}&status=COMPLETED&transaction=${paid.transaction}#top`,
    )
    // Back, or the same tab again: the receipt, not the shop a second time.
    const again = await app.call(back.pathname, { method: 'POST', raw: 'cres=x' })
    expect([again.status, again.headers.get('location')]).toEqual([
      303,
      `${link.url}?ck=${back.pathname.split('/')[3]}`,
    ])
  })

  it('is declined after Decline, and the form says why', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const { json } = await payer.payByCard(CARDS.challenge)
    const back = new URL(await completeChallenge(app, json.action.url, 'decline'))
    const location = (await app.call(back.pathname)).headers.get('location') as string
    expect(location.startsWith(link.url)).toBe(true)
    const page = await app.call(location.slice('http://shop.test'.length))
    expect(page.text).toContain('"notice":"errors.authentication_failed"')
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('is declined when the money is missing after the challenge', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const { json } = await payer.payByCard(CARDS.challengeThenInsufficient)
    await app.call(new URL(await completeChallenge(app, json.action.url, 'approve')).pathname)
    expect((await payer.current()).json.checkout.result).toMatchObject({
      outcome: 'DECLINED',
      message_id: 'errors.insufficient_funds',
    })
  })

  it('is noticed when the payer approves and never comes back', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const { json } = await payer.payByCard(CARDS.challenge)
    await completeChallenge(app, json.action.url, 'approve')
    await later(10_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
    expect((await payer.current()).json.checkout.result.outcome).toBe('COMPLETED')
  })

  it('frees the link when the payer comes back and pays another way', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    const before = (await sandboxCharges(app)).length
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    // The first try is dead at the processor: approving it now takes nothing.
    await completeChallenge(app, asked.json.action.url, 'approve')
    expect((await sandboxCharges(app)).length).toBe(before + 1)
  })

  it('is not given up for a submit that is refused', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    expect((await payer.payByCard(CARDS.approve, { options_v: 7 })).json.outcome).toBe(
      'TERMS_CHANGED',
    )
    expect((await payer.payByCard(CARDS.approve, { amount: '1.00' })).status).toBe(400)
    await app.call(new URL(await completeChallenge(app, asked.json.action.url, 'approve')).pathname)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })

  it('counts as paid when it was approved before the payer chose another way', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    await completeChallenge(app, asked.json.action.url, 'approve')
    const before = (await sandboxCharges(app)).length
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect((await sandboxCharges(app)).length).toBe(before)
  })

  it('writes nothing while it waits', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    for (let i = 0; i < 5; i += 1) await later(60_000)
    await app.call(new URL(await completeChallenge(app, asked.json.action.url, 'approve')).pathname)
    expect((await readLink(app.merchant, link.id, 'payment')).payment.v).toBe(3)
  })

  it('frees the link when nobody finishes it in fifteen minutes', async () => {
    const link = await newLink(app.merchant)
    await (await openPayerClient(app, link.id)).payByCard(CARDS.challenge)
    for (let minute = 0; minute < 17; minute += 1) await later(60_000)
    const other = await openPayerClient(app, link.id)
    expect((await other.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('does not let the merchant change the terms meanwhile', async () => {
    const link = await newLink(app.merchant)
    await (await openPayerClient(app, link.id)).payByCard(CARDS.challenge)
    const { status, json } = await app.merchant.api(`/payment_links/${link.id}`, {
      method: 'PUT',
      body: { payment_link: { options: { amount: '99.00' } } },
    })
    expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
  })

  it('shows an unknown return address the page of an unknown link', async () => {
    const answer = await app.call('/pay/checkouts/nobody/return')
    expect(answer.status).toBe(404)
  })
})
