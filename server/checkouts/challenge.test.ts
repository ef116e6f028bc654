import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  completeChallenge,
  openPayerClient,
  readLink,
  returnFromBank,
  payNewLink,
} from '../../test/payer-client.ts'
import { chargedDuring, reconcileAfter } from '../../test/payments-client.ts'

const app = await startTestApp()

describe('a challenge on the bank’s page', () => {
  it('pays after Approve, and the return redirects by 303', async () => {
    const { link, payer, json } = await payNewLink(app, CARDS.challenge, {
      amount: '9.00',
      success_url: 'https://shop.example/ok#top',
      skip_receipt: true,
    })
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
    // A second return shows the receipt and does not redirect to the merchant.
    const again = await app.call(back.pathname, { method: 'POST', raw: 'cres=x' })
    expect([again.status, again.headers.get('location')]).toEqual([
      303,
      `${link.url}?ck=${back.pathname.split('/')[3]}`,
    ])
  })

  it('declines after Decline, and the form shows the reason', async () => {
    const { link, payer, json } = await payNewLink(app, CARDS.challenge)
    const back = new URL(await completeChallenge(app, json.action.url, 'decline'))
    const location = (await app.call(back.pathname)).headers.get('location') as string
    expect(location.startsWith(link.url)).toBe(true)
    const page = await app.call(location.slice('http://shop.test'.length))
    expect(page.text).toContain('"notice":"errors.authentication_failed"')
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('declines when the balance is too low after the challenge', async () => {
    const { payer, json } = await payNewLink(app, CARDS.challengeThenInsufficient)
    await returnFromBank(app, json.action.url)
    expect((await payer.current()).json.checkout.result).toMatchObject({
      outcome: 'DECLINED',
      message_id: 'errors.insufficient_funds',
    })
  })

  it('is found by the reconciler when the payer approves and does not return', async () => {
    const { link, payer, json } = await payNewLink(app, CARDS.challenge)
    await completeChallenge(app, json.action.url, 'approve')
    await reconcileAfter(app, 10_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
    expect((await payer.current()).json.checkout.result.outcome).toBe('COMPLETED')
  })

  it('is canceled when the payer returns and pays another way', async () => {
    const { payer, json } = await payNewLink(app, CARDS.challenge)
    const charged = await chargedDuring(app, async () => {
      expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
      // The processor has canceled the first attempt: approving it now charges nothing.
      await completeChallenge(app, json.action.url, 'approve')
    })
    expect(charged).toHaveLength(1)
  })

  it('is not canceled for a submit that is refused', async () => {
    const { link, payer, json } = await payNewLink(app, CARDS.challenge)
    expect((await payer.payByCard(CARDS.approve, { options_v: 7 })).json.outcome).toBe(
      'TERMS_CHANGED',
    )
    expect((await payer.payByCard(CARDS.approve, { amount: '1.00' })).status).toBe(400)
    await returnFromBank(app, json.action.url)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })

  it('pays when it was approved before the payer submitted another way', async () => {
    const { payer, json } = await payNewLink(app, CARDS.challenge)
    await completeChallenge(app, json.action.url, 'approve')
    const pay = async () =>
      expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await chargedDuring(app, pay)).toEqual([])
  })

  it('writes nothing while it is pending', async () => {
    const { link, json } = await payNewLink(app, CARDS.challenge)
    for (let i = 0; i < 5; i += 1) await reconcileAfter(app, 60_000)
    await returnFromBank(app, json.action.url)
    expect((await readLink(app.merchant, link.id, 'payment')).payment.v).toBe(3)
  })

  it('frees the link when it is not finished within fifteen minutes', async () => {
    const { link } = await payNewLink(app, CARDS.challenge)
    for (let minute = 0; minute < 17; minute += 1) await reconcileAfter(app, 60_000)
    const other = await openPayerClient(app, link.id)
    expect((await other.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('prevents changes of the terms', async () => {
    const { link } = await payNewLink(app, CARDS.challenge)
    const { status, json } = await app.merchant.api(`/payment_links/${link.id}`, {
      method: 'PUT',
      body: { payment_link: { options: { amount: '99.00' } } },
    })
    expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
  })

  it.each(['checkouts/nobody', 'checkouts/%00', 'setups/nobody', 'setups/%00'])(
    'shows the page of an unknown link for the unknown return handle %s',
    async (handle) => {
      expect((await app.call(`/pay/${handle}/return`)).status).toBe(404)
    },
  )
})
