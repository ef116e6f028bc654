import { describe, expect, it } from 'vitest'
import { errorSummary } from '../../test/payments-client.ts'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openPayerClient, readLink, openNewLink } from '../../test/payer-client.ts'
import { pruneBundles } from './prune.ts'

const app = await startTestApp()
const { api } = app.merchant
const HOUR = 3_600_000

const read = async (id: string, expand = '') => {
  const { status, json, text } = await api(`/checkouts/${id}${expand && `?expand=${expand}`}`)
  expect(status, text).toBe(200)
  return json.checkout
}
const listed = async (criteria: string, order = 'created') => {
  const query = new URLSearchParams({ criteria, order }).toString()
  const { status, json, text } = await api(`/checkouts?${query}`)
  expect(status, text).toBe(200)
  return json.checkouts
}

const statusesOf = (records: { status: string }[]) => records.map(({ status }) => status)

describe('a session in the merchant’s API', () => {
  it('has the values that were fixed when it was opened', async () => {
    const { link, payer } = await openNewLink(app, { amount: '3.00', timezone: 'Asia/Kolkata' })
    const { id, strings_hash, expires, language } = payer.checkout
    const now = new Date(app.now()).toISOString()
    expect(await read(id)).toEqual({
      id,
      payment_link: link.id,
      legal_entity: null,
      deep_link: null,
      account: null,
      status: 'OPEN',
      language,
      branding: null,
      timezone: 'Asia/Kolkata',
      strings_hash,
      options_v: 1,
      amount: null,
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      alt_key: null,
      description: null,
      payer: null,
      payer_comment: null,
      quantity: null,
      embedded_origin: null,
      attempts: [],
      milestones: {
        opened: now,
        details_done: null,
        method_chosen: null,
        submitted: null,
        challenged: null,
        completed: null,
      },
      expires,
      created: now,
      updated: now,
      v: 1,
    })
  })

  it('has every attempt, oldest first, and the terms of the newest', async () => {
    const { payer } = await openNewLink(app, {
      currency: 'JPY',
      description: 'Books',
      allow_description: true,
      default_alt_key: '',
    })
    const { id } = payer.checkout
    app.pass(1000)
    await payer.payByCard(CARDS.decline, { amount: '500' })
    const declined = await read(id)
    expect(declined).toMatchObject({ status: 'OPEN', amount: '500', currency: 'JPY' })
    expect(declined.attempts).toEqual([
      { payment: expect.stringMatching(/^pay_/), status: 'DECLINE', created: declined.updated },
    ])
    app.pass(1000)
    const sent = { amount: '700', alt_key: 'A-1', description: 'thanks' }
    await payer.payByCard(CARDS.approve, sent)
    const paid = await read(id)
    expect(paid).toMatchObject({ status: 'COMPLETED', amount: '700', alt_key: 'A-1' })
    expect([paid.description, paid.payer_comment]).toEqual(['Books', 'thanks'])
    expect(statusesOf(paid.attempts)).toEqual(['DECLINE', 'SUCCESS'])
    expect(paid.attempts[0]).toEqual(declined.attempts[0])
    expect(paid.milestones).toEqual({
      opened: paid.created,
      details_done: null,
      method_chosen: null,
      submitted: declined.milestones.submitted,
      challenged: null,
      completed: new Date(app.now()).toISOString(),
    })
    expect((await readLink(app.merchant, paid.payment_link)).payment).toBe(paid.attempts[1].payment)
  })

  it('has the time of the challenge', async () => {
    const { payer } = await openNewLink(app)
    app.pass(1000)
    await payer.payByCard(CARDS.challenge)
    const challenged = await read(payer.checkout.id)
    expect(challenged).toMatchObject({ status: 'SUBMITTED', attempts: [{ status: 'PENDING' }] })
    expect(Date.parse(challenged.milestones.challenged)).toBe(app.now())
  })

  it('is EXPIRED from its expiry on, unless it was paid', async () => {
    const [idle, paid] = [await openNewLink(app), await openNewLink(app)]
    await paid.payer.payByCard(CARDS.approve)
    const { id, expires } = idle.payer.checkout
    app.pass(Date.parse(expires) - app.now() - 1)
    expect((await read(id)).status).toBe('OPEN')
    expect((await listed(`id=${id},status=OPEN`)).length).toBe(1)
    app.pass(1)
    expect(await read(id)).toMatchObject({ status: 'EXPIRED', v: 1 })
    expect((await listed(`id=${id},status=OPEN`)).length).toBe(0)
    expect((await listed(`id=${id},status=EXPIRED`))[0]).toEqual(await read(id))
    expect((await read(paid.payer.checkout.id)).status).toBe('COMPLETED')
  })

  it('keeps its wording; a session whose wording is gone has no strings_hash and no page', async () => {
    const { db } = app.checkstand.deps
    const { payer } = await openNewLink(app)
    const { id } = payer.checkout
    app.pass(72 * HOUR)
    await pruneBundles(app.checkstand.deps)
    expect((await read(id)).strings_hash).toMatch(/^[0-9a-f]{64}$/)
    // As earlier releases did.
    await db.updateTable('checkouts').set({ bundle: 'deleted' }).where('id', '=', id).execute()
    expect(await read(id)).toMatchObject({ status: 'EXPIRED', strings_hash: null })
    const { status, json } = await api(`/checkouts/${id}/page`)
    expect([status, json.error.type]).toEqual([410, 'GONE'])
  })

  it('contains neither the token nor a handle', async () => {
    const { payer } = await openNewLink(app)
    const { token_hash } = await app.checkstand.deps.db
      .selectFrom('checkouts')
      .select('token_hash')
      .where('id', '=', payer.checkout.id)
      .executeTakeFirstOrThrow()
    for (const path of [`/checkouts/${payer.checkout.id}`, '/checkouts?limit=1000']) {
      const { text } = await api(path)
      expect(text).toContain(payer.checkout.id)
      expect(text).not.toContain(token_hash)
    }
  })

  it('is 404 for an unknown id, another merchant’s id and an invalid id', async () => {
    const other = await app.newMerchant()
    const { payer: foreign } = await openNewLink({ ...app, merchant: other })
    for (const id of [foreign.checkout.id, 'ck_1_x', 'current', '%00', 'ck_1_x%00']) {
      const response = await api(`/checkouts/${id}`)
      expect(errorSummary(response)).toEqual([404, 'NOT_FOUND', 'Checkout not found'])
    }
  })
})

describe('a list of sessions', () => {
  it('contains each session as its GET returns it', async () => {
    const checkouts = await listed('created!!')
    expect(checkouts.length).toBeGreaterThan(3)
    for (const checkout of checkouts) expect(await read(checkout.id)).toEqual(checkout)
  })

  it.each([
    [{ timezone: 'Europe/Paris' }, 'Asia/Tokyo', 'Europe/Paris'],
    [{}, 'Asia/Tokyo', 'Asia/Tokyo'],
    [{}, undefined, null],
  ])(
    'is in the time zone of %j, else of its account (%s): %s',
    async (options, timezone, shown) => {
      const { json } = await api('/accounts', { body: { account: { crm_key: 'zone', timezone } } })
      const account = json.account.id
      const { payer } = await openNewLink(app, { amount: '1.00', account, ...options })
      expect(payer.checkout.timezone).toBe(shown)
      expect((await read(payer.checkout.id)).timezone).toBe(shown)
    },
  )

  it('can be filtered by link, account, status, language, branding and currency', async () => {
    const { json } = await api('/accounts', {
      body: { account: { crm_key: 'fr', locale: 'fr-CH' } },
    })
    const account = json.account.id
    const { link, payer } = await openNewLink(app, { amount: '5', currency: 'JPY', account })
    await payer.payByCard(CARDS.approve)
    const own = `payment_link=${link.id}`
    for (const criteria of [
      `account=${account}`,
      'status=completed',
      'status=PENDING;COMPLETED',
      'language=FR',
      'branding!',
      'currency=jpy',
      'expires>2030-01-01',
    ]) {
      expect((await listed(`${own},${criteria}`)).length, criteria).toBe(1)
    }
    for (const criteria of ['account!', 'status=OPEN', 'language=de', 'branding!!']) {
      expect((await listed(`${own},${criteria}`)).length, criteria).toBe(0)
    }
  })

  it('finds by status exactly the sessions with that status', async () => {
    const all = await listed('created!!')
    const statuses = ['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED']
    for (const status of statuses) {
      const expected = all.filter((checkout: { status: string }) => checkout.status === status)
      expect(await listed(`status=${status}`)).toEqual(expected)
    }
    expect(new Set(statusesOf(all)).size).toBe(4)
  })

  it('can be ordered by status, by which expired sessions count as EXPIRED', async () => {
    const names = statusesOf(await listed('created!!', 'status'))
    expect(names).toEqual(names.toSorted())
  })

  it('leaves out a payment of another merchant, even if an attempt refers to it', async () => {
    const { payer } = await openNewLink(app)
    await payer.payByCard(CARDS.decline)
    const other = await app.newMerchant()
    const foreign = await newLink(other)
    await (await openPayerClient(app, foreign.id)).payByCard(CARDS.approve)
    const { payment } = await readLink(other, foreign.id)
    await app.checkstand.deps.db
      .updateTable('attempts')
      .set({ payment_id: payment })
      .where('checkout_id', '=', payer.checkout.id)
      .execute()
    expect((await read(payer.checkout.id)).attempts).toEqual([])
  })
})
