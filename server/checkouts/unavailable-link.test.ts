import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { chargedDuring } from '../../test/payments-client.ts'
import { newLink, readLink, openNewLink, payNewLink } from '../../test/payer-client.ts'

const app = await startTestApp()

describe('a visitor of a paid link', () => {
  it('sees amount, reference and date, and no personal data', async () => {
    const account = {
      crm_key: 'private',
      email: 'ada@example.com',
      last_name: 'Lovelace',
      phone: '0123',
    }
    const { link, payer } = await payNewLink(app, CARDS.approve, {
      amount: '1.00',
      account,
      success_url: 'https://shop.example/ok',
      save_card: true,
    })
    const { account: accountId } = await readLink(app.merchant, link.id)
    const page = (await app.call(`/pay/${link.id}`)).text
    const opened = (await app.call(`/pay/${link.id}/checkouts`, { body: {} })).text
    for (const response of [page, opened]) {
      for (const secret of ['ada@example.com', 'Lovelace', '0123"', accountId, '4242']) {
        expect(response).not.toContain(secret)
      }
    }
    expect((await payer.current()).json.checkout.result.redirect).toContain(accountId)
  })
})

describe('a URL with unknown query parameters', () => {
  it('opens the page', async () => {
    const link = await newLink(app.merchant)
    const page = await app.call(`/pay/${link.id}?utm_source=a&utm_source=b&lang=de&lang=fr`)
    expect([page.status, page.text.includes('lang="de"')]).toEqual([200, true])
  })
})

describe('a link that cannot be paid', () => {
  const expires = () => new Date(app.now() + 1000).toISOString()

  it('accepts no submit of a session that was open when it expired', async () => {
    const { payer } = await openNewLink(app, { amount: '1.00' }, { expires: expires() })
    app.pass(1000)
    const gone = { outcome: 'GONE', message_id: 'status.unavailable' }
    const pay = async () => expect((await payer.payByCard(CARDS.approve)).json).toEqual(gone)
    expect(await chargedDuring(app, pay)).toEqual([])
  })

  it('accepts no submit after it was archived', async () => {
    const { link, payer } = await openNewLink(app)
    await app.merchant.api(`/payment_links/${link.id}`, { method: 'DELETE' })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('GONE')
  })

  it('shows an open session as expired once it is archived or expires', async () => {
    const { link: archived, payer: first } = await openNewLink(app)
    await app.merchant.api(`/payment_links/${archived.id}`, { method: 'DELETE' })
    expect((await first.current()).json.checkout.status).toBe('EXPIRED')
    const { payer: second } = await openNewLink(app, {}, { expires: expires() })
    app.pass(1000)
    expect((await second.current()).json.checkout.status).toBe('EXPIRED')
  })

  it('accepts no submit of an expired session', async () => {
    const { payer } = await openNewLink(app)
    app.pass(3_600_000)
    expect((await payer.current()).json.checkout.status).toBe('EXPIRED')
    expect((await payer.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'GONE',
      message_id: 'errors.session_expired',
    })
  })

  it('opens no session: 410 when expired or archived, 404 when unknown', async () => {
    const expired = await newLink(app.merchant, {}, { expires: expires() })
    app.pass(1000)
    const archived = await newLink(app.merchant)
    await app.merchant.api(`/payment_links/${archived.id}`, { method: 'DELETE' })
    for (const [id, status, type] of [
      [expired.id, 410, 'GONE'],
      [archived.id, 410, 'GONE'],
      ['pl_x_y', 404, 'NOT_FOUND'],
    ] as const) {
      const opened = await app.call(`/pay/${id}/checkouts`, { body: {} })
      expect([opened.status, opened.json.error.type]).toEqual([status, type])
      expect((await app.call(`/pay/${id}`)).status).toBe(status)
    }
  })
})
