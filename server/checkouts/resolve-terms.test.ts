import { describe, expect, it } from 'vitest'
import type { LinkRow } from '../db/tables/payment-links.ts'
import { contentColumns, parseLinkContent } from '../payment-links/content.ts'
import { inTransaction } from '../db/transaction.ts'
import { findLink, updateLink } from '../payment-links/store.ts'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newAccount, newLink, readLink, openNewLink, payNewLink } from '../../test/payer-client.ts'
import { chargedDuring, errorSummary } from '../../test/payments-client.ts'
import { claimLink } from '../payment-links/claim.ts'

const app = await startTestApp()
const { deps } = app.checkstand

describe('terms', () => {
  const put = (id: string, payment_link: unknown) =>
    app.merchant.api(`/payment_links/${id}`, { method: 'PUT', body: { payment_link } })

  it('that changed while the page was open are shown before a charge', async () => {
    const { link, payer } = await openNewLink(app, { amount: '1.00' })
    await put(link.id, { options: { amount: '2.00' } })
    const changed = { outcome: 'TERMS_CHANGED', message_id: 'status.terms_changed' }
    const pay = async () => expect((await payer.payByCard(CARDS.approve)).json).toEqual(changed)
    expect(await chargedDuring(app, pay)).toEqual([])
    const { checkout } = (await payer.current()).json
    expect([checkout.options_v, checkout.terms.amount]).toEqual([2, '2.00'])
    const accept = () => payer.payByCard(CARDS.approve, { options_v: 2 })
    expect(await chargedDuring(app, accept)).toEqual([200])
  })

  it('stay accepted when only the state of the link changed', async () => {
    const { link, payer } = await openNewLink(app, { amount: '1.00' })
    await put(link.id, { state: { seen: true } })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  const fixed = { amount: '12.50', alt_key: 'order-1', description: 'Two coffees', account: 'acc' }
  it.each([
    [{ amount: '12.51' }, 'amount is fixed by the link'],
    [{ currency: 'USD' }, 'currency must be EUR, the currency of the link'],
    [{ alt_key: 'order-2' }, 'alt_key is fixed by the link'],
    [{ alt_key: null }, 'alt_key is fixed by the link'],
    [{ description: 'Other' }, 'description is fixed by the link'],
    [{ account: { email: 'eve@example.com' } }, 'account is fixed by the link'],
    [{ price: '1' }, 'Unknown field price'],
  ])('that are fixed cannot be changed by the browser: %j', async (more, message) => {
    const { link, payer } = await openNewLink(app, { ...fixed, account: await newAccount(app) })
    const pay = async () => {
      const response = await payer.payByCard(CARDS.approve, more)
      expect(errorSummary(response)).toEqual([400, 'INVALID_REQUEST', message])
    }
    expect(await chargedDuring(app, pay)).toEqual([])
    expect((await readLink(app.merchant, link.id)).attempts).toBe(0)
  })

  it('that are fixed may be submitted unchanged', async () => {
    const options = { amount: '12.5', alt_key: 'order-1' }
    const same = { ...options, amount: '12.50', currency: 'EUR' }
    const { json } = await payNewLink(app, CARDS.approve, options, same)
    expect(json.outcome).toBe('COMPLETED')
  })

  it('that the payer chooses are stored', async () => {
    const { link, payer } = await openNewLink(app, {
      default_amount: '5.00',
      default_alt_key: 'a',
      default_description: 'b',
      allow_description: true,
    })
    const chosen = { amount: '7.25', alt_key: 'mine', description: 'For Ada' }
    await payer.payByCard(CARDS.approve, chosen)
    expect((await readLink(app.merchant, link.id, 'payment')).payment).toMatchObject({
      ...chosen,
      payer_comment: null,
    })
  })

  it('remove a default reference that the payer clears', async () => {
    const paid = async (sent: Record<string, unknown>) => {
      const options = { amount: '5.00', default_alt_key: 'DEF-1' }
      const { link } = await payNewLink(app, CARDS.approve, options, sent)
      return (await readLink(app.merchant, link.id, 'payment')).payment.alt_key
    }
    expect(await paid({})).toBe('DEF-1')
    expect(await paid({ alt_key: null })).toBeNull()
  })

  it('keep a fixed description and the payer’s comment apart', async () => {
    const options = { amount: '1.00', description: 'Invoice 7', allow_description: true }
    const sent = { description: 'Paid by Bob' }
    const { link } = await payNewLink(app, CARDS.approve, options, sent)
    expect((await readLink(app.merchant, link.id, 'payment')).payment).toMatchObject({
      description: 'Invoice 7',
      payer_comment: 'Paid by Bob',
    })
  })

  it.each([
    [{}, 'amount is required'],
    [{ amount: '1.234' }, 'amount has too many decimal places for EUR'],
    [{ amount: `1.${'0'.repeat(31)}` }, 'amount must be at most 32 characters'],
    [{ amount: '1,00' }, 'amount must be a decimal amount'],
    [{ amount: '0.00' }, 'amount must be more than zero'],
  ])('need an amount that can be charged: %j', async (more, message) => {
    const { status, json } = await payNewLink(app, CARDS.approve, {}, more)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('an edit during a payment', () => {
  // Both orders of an edit and a claim.
  const claim = (link: { id: string; options_v: number }) =>
    inTransaction(deps.db, (tx) =>
      claimLink(tx, {
        linkId: link.id,
        attemptId: 'at_test',
        optionsVersion: link.options_v,
        now: new Date(app.now()).toISOString(),
      }),
    )
  const edit = (link: LinkRow, change: Partial<LinkRow>) => ({
    ...contentColumns(parseLinkContent(link)),
    options_v: link.options_v,
    expiry_told: link.expiry_told,
    updated: link.updated,
    v: link.v + 1,
    ...change,
  })

  it('never removes the claim, whichever was read first', async () => {
    const { id } = await newLink(app.merchant)
    const read = (await findLink(deps.db, id)) as LinkRow
    expect(await claim(read)).toBeDefined()
    expect(await updateLink(deps.db, read, edit(read, { state: '"x"' }))).toBe(true)
    expect((await findLink(deps.db, id))?.claim).toBe('at_test')
    const again = (await findLink(deps.db, id)) as LinkRow
    const options = { options: '{"amount":"99.00"}', options_v: again.options_v + 1 }
    expect(await updateLink(deps.db, again, edit(again, options))).toBe(false)
  })

  it('that comes first makes the claim fail: the payer sees the new terms', async () => {
    const { id } = await newLink(app.merchant)
    const read = (await findLink(deps.db, id)) as LinkRow
    const options = { options: '{"amount":"99.00"}', options_v: read.options_v + 1 }
    expect(await updateLink(deps.db, read, edit(read, options))).toBe(true)
    expect(await claim(read)).toBeUndefined()
  })

  it('keeps a paid link paid after concurrent edits', async () => {
    const { link, payer } = await openNewLink(app)
    const edits = Array.from({ length: 20 }, (_, i) =>
      app.merchant.api(`/payment_links/${link.id}`, {
        method: 'PUT',
        body: { payment_link: { state: { i } } },
      }),
    )
    const [paid] = await Promise.all([payer.payByCard(CARDS.approve), ...edits])
    expect(paid.json.outcome).toBe('COMPLETED')
    const after = await readLink(app.merchant, link.id, 'payment')
    expect([after.status, after.payment.status]).toEqual(['PAYMENT_SUCCESS', 'SUCCESS'])
  })

  it('of the default currency does not change the currency of an open session', async () => {
    const merchant = await app.newMerchant()
    const { link, payer } = await openNewLink({ ...app, merchant }, { amount: '10.50' })
    const currency = (default_currency: string) =>
      merchant.api('/instances/default', {
        method: 'PUT',
        body: { instance: { default_currency } },
      })
    await currency('JPY')
    expect((await payer.current()).json.checkout.terms).toMatchObject({
      amount: '10.50',
      currency: 'EUR',
    })
    // 10.50 cannot be charged in yen.
    expect((await app.call(`/pay/${link.id}`)).status).toBe(410)
    expect((await app.call(`/pay/${link.id}/checkouts`, { body: {} })).status).toBe(410)
    await payer.payByCard(CARDS.approve)
    expect((await readLink(merchant, link.id, 'payment')).payment).toMatchObject({
      amount: '10.50',
      currency: 'EUR',
    })
  })
})
