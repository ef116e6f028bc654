import { describe, expect, it } from 'vitest'
import { reconcileDue } from '../payments/reconcile.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { eventsDuring, recordedEvents } from '../../test/payments-client.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { recordExpiries } from './expire.ts'

const app = await startTestApp()
const { deps } = app.checkstand

const inMs = (ms: number) => new Date(app.now() + ms).toISOString()
/** Creates a link that expires in a second; of a new merchant unless one is given. */
async function expiring(of?: Merchant) {
  const merchant = of ?? (await app.newMerchant())
  const { id } = await newLink(merchant, undefined, { expires: inMs(1000) })
  return { merchant, id: id as string }
}
const put = (merchant: Merchant, id: string, payment_link: object) =>
  merchant.api(`/payment_links/${id}`, { method: 'PUT', body: { payment_link } })
const archive = (merchant: Merchant, id: string) =>
  merchant.api(`/payment_links/${id}`, { method: 'DELETE' })
/** The events that one run records, as `type v`. */
const round = (merchant: Merchant) => eventsDuring(app, () => recordExpiries(deps), merchant)

describe('payment_link.expired', () => {
  it('is recorded once, with the link as its GET returns it', async () => {
    const { merchant, id } = await expiring()
    app.pass(999)
    expect(await round(merchant)).toEqual([])
    app.pass(1)
    // The status does not wait for the run.
    expect(await readLink(merchant, id)).toMatchObject({ status: 'EXPIRED', v: 1 })
    expect(await round(merchant)).toEqual(['payment_link.expired 2'])
    const event = (await recordedEvents(app, merchant)).find(
      ({ type }) => type === 'payment_link.expired',
    )
    expect(event?.data).toEqual({ payment_link: await readLink(merchant, id) })
    app.pass(86_400_000)
    expect(await round(merchant)).toEqual([])
  })

  it('is recorded again after the expiry was postponed and passed again', async () => {
    const { merchant, id } = await expiring()
    app.pass(1000)
    await round(merchant)
    await put(merchant, id, { expires: inMs(5000) })
    expect(await readLink(merchant, id)).toMatchObject({ status: 'ACTIVE', v: 3 })
    expect(await round(merchant)).toEqual([])
    // Other changes record no expiry.
    await put(merchant, id, { state: 'changed' })
    app.pass(5000)
    expect(await round(merchant)).toEqual(['payment_link.expired 5'])
    await put(merchant, id, { state: 'changed again' })
    expect(await round(merchant)).toEqual([])
  })

  it('is not recorded when the expiry was postponed before the run', async () => {
    const { merchant, id } = await expiring()
    app.pass(1000)
    await put(merchant, id, { expires: null })
    expect(await round(merchant)).toEqual([])
  })

  it('is recorded for a link archived after its expiry but not before', async () => {
    const merchant = await app.newMerchant()
    const before = await expiring(merchant)
    const after = await expiring(merchant)
    app.pass(500)
    await archive(merchant, before.id)
    app.pass(1000)
    await archive(merchant, after.id)
    expect(await round(merchant)).toEqual(['payment_link.expired 3'])
    expect((await readLink(merchant, before.id)).v).toBe(2)
  })

  it('is not recorded for a paid link', async () => {
    const { merchant, id } = await expiring()
    await (await openPayerClient(app, id)).payByCard(CARDS.approve)
    const paid = await readLink(merchant, id)
    app.pass(1000)
    expect(await round(merchant)).toEqual([])
    expect(await readLink(merchant, id)).toEqual(paid)
  })

  it('is recorded when a pending payment fails after the expiry', async () => {
    const { merchant, id } = await expiring()
    await (await openPayerClient(app, id)).payByCard(CARDS.pendingFailure)
    app.pass(1000)
    expect(await round(merchant)).toEqual([])
    app.pass(1000)
    const events = await eventsDuring(app, () => reconcileDue(deps), merchant)
    expect(events).toContain('payment_link.payment_failed 4')
    expect((await readLink(merchant, id)).status).toBe('EXPIRED')
    expect(await round(merchant)).toEqual(['payment_link.expired 5'])
  })

  it('is recorded once by concurrent processes, across batches', async () => {
    const merchant = await app.newMerchant()
    await Promise.all(Array.from({ length: 230 }, () => expiring(merchant)))
    app.pass(1000)
    const events = await eventsDuring(
      app,
      () => Promise.all([1, 2, 3].map(() => recordExpiries(deps))),
      merchant,
    )
    expect(events).toEqual(Array(230).fill('payment_link.expired 2'))
  })

  it('is not listed again after a run', async () => {
    const merchant = await app.newMerchant()
    const paid = await expiring(merchant)
    await (await openPayerClient(app, paid.id)).payByCard(CARDS.approve)
    await archive(merchant, (await expiring(merchant)).id)
    await expiring(merchant)
    app.pass(1000)
    expect(await recordExpiries(deps)).toBe(3)
    expect(await recordExpiries(deps)).toBe(0)
  })
})
