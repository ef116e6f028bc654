import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CheckoutRow } from '../db/tables/checkouts.ts'
import { inTransaction } from '../db/transaction.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { afterEachRead } from '../../test/after-each-read.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { eventsDuring, recordedEvents } from '../../test/payments-client.ts'
import { cardToken, newLink, openPayerClient, openNewLink } from '../../test/payer-client.ts'
import { closeExpiredSessions } from './close-sessions.ts'
import { openCheckout } from './open-session.ts'
import { resumeCheckout } from './session.ts'
import { submitCheckout } from './submit.ts'
import { getCheckout, updateIfUnchanged } from './store.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const LIFE_MS = deps.config.checkoutTtlMs

const read = async ({ api }: Merchant, id: string) => (await api(`/checkouts/${id}`)).json.checkout
/** The events that one run records, as `type v`. */
const round = (merchant: Merchant) => eventsDuring(app, () => closeExpiredSessions(deps), merchant)
const archive = ({ api }: Merchant, id: string) => api(`/payment_links/${id}`, { method: 'DELETE' })

/** Opens a session on a new link; of a new merchant unless one is given. */
async function open(of?: Merchant) {
  const merchant = of ?? (await app.newMerchant())
  const { link, payer } = await openNewLink({ ...app, merchant })
  return { merchant, link, payer, id: payer.checkout.id as string }
}

describe('an expired session', () => {
  it('records checkout.expired once, with the session as its GET returns it', async () => {
    const { merchant, id } = await open()
    app.pass(LIFE_MS - 1)
    expect(await round(merchant)).toEqual([])
    app.pass(1)
    // The status does not wait for the run.
    expect(await read(merchant, id)).toMatchObject({ status: 'EXPIRED', v: 1 })
    expect(await round(merchant)).toEqual(['checkout.expired 2'])
    expect(await read(merchant, id)).toMatchObject({ status: 'EXPIRED', v: 2 })
    const event = (await recordedEvents(app, merchant)).find(
      ({ type }) => type === 'checkout.expired',
    )
    expect(event?.data).toEqual({ checkout: await read(merchant, id) })
    expect(await round(merchant)).toEqual([])
  })

  it('is ABANDONED after an attempt, before and after the run', async () => {
    const { merchant, id, payer } = await open()
    await payer.payByCard(CARDS.decline)
    app.pass(LIFE_MS)
    const list = async () =>
      (await merchant.api('/checkouts?criteria=status=ABANDONED')).json.checkouts
    for (const events of [['checkout.abandoned 4'], []]) {
      expect((await read(merchant, id)).status).toBe('ABANDONED')
      expect((await payer.current()).json.checkout.status).toBe('ABANDONED')
      expect(await list()).toHaveLength(1)
      expect(await round(merchant)).toEqual(events)
    }
  })

  it('stays unchanged while a payment is in progress, and after a payment', async () => {
    const paid = await open()
    const { merchant } = paid
    await paid.payer.payByCard(CARDS.approve)
    const pending = await open(merchant)
    await pending.payer.payByCard(CARDS.pendingSuccess)
    const challenged = await open(merchant)
    await challenged.payer.payByCard(CARDS.challenge)
    app.pass(LIFE_MS)
    expect(await round(merchant)).toEqual([])
    expect((await read(merchant, paid.id)).status).toBe('COMPLETED')
    expect((await read(merchant, pending.id)).status).toBe('PENDING')
    expect((await read(merchant, challenged.id)).status).toBe('SUBMITTED')
    // The challenge was never finished: its attempt is canceled, and the session ends.
    await reconcileDue(deps)
    expect(await round(merchant)).toEqual(['checkout.abandoned 5'])
    expect((await read(merchant, pending.id)).status).toBe('COMPLETED')
  })

  it('is closed by its current state when it changed after it was read', async () => {
    const { id, payer } = await open()
    const looked = await getCheckout(deps.db, id)
    await payer.payByCard(CARDS.decline)
    const close = (read: CheckoutRow) =>
      inTransaction(deps.db, (tx) => updateIfUnchanged(tx, read, { status: 'EXPIRED' }))
    expect(await close(looked)).toBe(false)
    expect(await close(await getCheckout(deps.db, id))).toBe(true)
  })

  it('accepts no payment once its event is recorded', async () => {
    for (let moment = 1, outcome = 'GONE'; outcome === 'GONE'; moment += 1) {
      const { merchant, payer } = await open()
      const opened = await resumeCheckout(deps, `Bearer ${payer.token}`)
      const token = await cardToken(app, CARDS.decline)
      let reads = 0
      const db = afterEachRead(deps.db, async () => {
        reads += 1
        if (reads !== moment) return
        app.pass(LIFE_MS)
        await closeExpiredSessions(deps)
      })
      const body = { attempt_key: randomUUID(), options_v: 1, payment_method: { token } }
      ;({ outcome } = await submitCheckout({ ...deps, db }, opened, body, {}))
      await closeExpiredSessions(deps)
      const events = (await recordedEvents(app, merchant)).map(({ type }) => type)
      expect([moment, ...events.filter((type) => /\.(expired|abandoned)$/.test(type))]).toEqual([
        moment,
        outcome === 'GONE' ? 'checkout.expired' : 'checkout.abandoned',
      ])
    }
  })

  it('records one event in several concurrent processes, across batches', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant)
    await Promise.all(Array.from({ length: 230 }, () => openPayerClient(app, link.id)))
    app.pass(LIFE_MS)
    const events = await eventsDuring(
      app,
      () => Promise.all([1, 2, 3].map(() => closeExpiredSessions(deps))),
      merchant,
    )
    expect(events).toEqual(Array(230).fill('checkout.expired 2'))
  })
})

describe('the sessions of an archived link', () => {
  it('are closed at once, with one event each', async () => {
    const { merchant, link, id, payer } = await open()
    const tried = await openPayerClient(app, link.id)
    await tried.payByCard(CARDS.decline)
    const events = await eventsDuring(app, () => archive(merchant, link.id), merchant)
    expect(events.filter((one) => one.startsWith('checkout.'))).toEqual([
      'checkout.abandoned 4',
      'checkout.expired 2',
    ])
    expect((await read(merchant, id)).status).toBe('EXPIRED')
    expect((await payer.current()).json.checkout.status).toBe('EXPIRED')
    expect((await payer.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'GONE',
      message_id: 'status.unavailable',
    })
    expect(await eventsDuring(app, () => archive(merchant, link.id), merchant)).toEqual([])
    app.pass(LIFE_MS)
    expect(await round(merchant)).toEqual([])
  })

  it('stay open while a payment is in progress, which then completes', async () => {
    const { merchant, link, id, payer } = await open()
    await payer.payByCard(CARDS.pendingSuccess)
    await archive(merchant, link.id)
    expect((await read(merchant, id)).status).toBe('PENDING')
    app.pass(2000)
    await reconcileDue(deps)
    expect((await read(merchant, id)).status).toBe('COMPLETED')
  })

  it('stay open while a payment is in progress, and are closed when it fails', async () => {
    const { merchant, link, id, payer } = await open()
    await payer.payByCard(CARDS.pendingFailure)
    await archive(merchant, link.id)
    app.pass(2000)
    const events = await eventsDuring(app, () => reconcileDue(deps), merchant)
    expect((await read(merchant, id)).status).toBe('ABANDONED')
    expect(events.filter((one) => one.startsWith('checkout.'))).toEqual(['checkout.abandoned 4'])
    app.pass(LIFE_MS)
    expect(await round(merchant)).toEqual([])
  })

  it('are all closed, whenever they are opened', async () => {
    for (let moment = 1, isArchived = true; isArchived; moment += 1) {
      const merchant = await app.newMerchant()
      const { id } = await newLink(merchant)
      let reads = 0
      isArchived = false
      const db = afterEachRead(deps.db, async () => {
        reads += 1
        if (reads === moment) isArchived = (await archive(merchant, id)).status === 204
      })
      const refusal = await openCheckout({ ...deps, db }, { paymentLink: id }, {}, {}).catch(
        (error: Error) => error,
      )
      if (refusal instanceof Error) expect(refusal.message).toContain('is no longer available')
      const { checkouts } = (await merchant.api('/checkouts?criteria=status=OPEN')).json
      expect([moment, checkouts.length]).toEqual([moment, isArchived ? 0 : 1])
    }
  })

  it('stay open when another merchant tries to archive the link', async () => {
    const { merchant, link, id } = await open()
    expect((await archive(await app.newMerchant(), link.id)).status).toBe(404)
    expect((await read(merchant, id)).status).toBe('OPEN')
  })
})
