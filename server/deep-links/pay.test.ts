import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newDeepLink, readDeepLink } from '../../test/deep-links.ts'
import { openPayerClient, openPayerClientAt } from '../../test/payer-client.ts'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { reconcileDue } from '../payments/reconcile.ts'

/** Payers of deep links. */

const app = await startTestApp()
const { merchant } = app
const { deps } = app.checkstand
const pathOf = ({ url }: { url: string }) => new URL(url).pathname
const open = (link: { url: string }, query = '') => openPayerClientAt(app, pathOf(link) + query)
const outcome = async (paying: Promise<{ json: { outcome: string } }>) =>
  (await paying).json.outcome
const put = (id: string, deep_link: object, mode = 'PATCH') =>
  merchant.api(`/deep_links/${id}`, { method: 'PUT', body: { mode, deep_link } })
const checkoutOf = async ({ checkout }: { checkout: { id: string } }) =>
  (await merchant.api(`/checkouts/${checkout.id}`)).json.checkout
const eventsOf = async (id: string) => {
  const { events } = (await merchant.api('/events?criteria=type~=deep_link&limit=1000')).json
  const own = events.filter(({ data }: { data: { deep_link: { id: string } } }) => {
    return data.deep_link.id === id
  })
  return own.map(({ type }: { type: string }) => type.split('.')[1]).toSorted()
}

describe('a payer of a deep link', () => {
  it('makes a payment link of their own with the first attempt, which the next one uses', async () => {
    const link = await newDeepLink(merchant, { amount: '12.50', success_url: 'https://s.example/' })
    const payer = await open(link)
    expect(payer.checkout.payment_link).toBeNull()
    expect(await readDeepLink(merchant, link.id)).toMatchObject({ payment_links: [] })
    expect(await outcome(payer.payByCard(CARDS.decline))).toBe('DECLINED')
    const [made] = (await readDeepLink(merchant, link.id)).payment_links
    expect(made).toMatchObject({ status: 'ACTIVE', attempts: 1, deep_link: link.id })
    app.pass(1000)

    expect(await outcome(payer.payByCard(CARDS.approve))).toBe('COMPLETED')
    const read = await readDeepLink(merchant, link.id)
    expect(read).toMatchObject({ uses: 1, reserved_uses: 0, status: 'ACTIVE' })
    expect(read.payment_links).toMatchObject([
      { id: made.id, status: 'PAYMENT_SUCCESS', attempts: 2, options: { amount: '12.50' } },
    ])
    expect(await checkoutOf(payer)).toMatchObject({
      payment_link: made.id,
      deep_link: link.id,
      status: 'COMPLETED',
    })
    const { result, deep_link } = (await payer.current()).json.checkout
    expect(deep_link).toBe(pathOf(link))
    expect(new URL(result.redirect).searchParams.get('deep_link')).toBe(link.id)
    expect(await eventsOf(link.id)).toEqual(['created', 'used'])
  })

  it('sees neither the payment nor the details of another payer', async () => {
    const link = await newDeepLink(merchant)
    const first = await open(link)
    await first.payByCard(CARDS.approve, { account: { first_name: 'Hidden' } })
    const second = await open(link)
    expect(second.checkout).toMatchObject({ status: 'OPEN', result: null, payment_link: null })
    expect((await app.call(pathOf(link))).text).not.toContain('Hidden')
    expect(await outcome(second.payByCard(CARDS.approve))).toBe('COMPLETED')
    expect(await readDeepLink(merchant, link.id)).toMatchObject({
      uses: 2,
      payment_links: [{}, {}],
    })
  })

  it('gets what the address fills in, where the payer may change it', async () => {
    const query = '?amount=20.00&reference=INV-7'
    const free = await newDeepLink(merchant, { default_amount: '5.00', default_alt_key: '' })
    const payer = await open(free, query)
    expect(payer.checkout.terms).toMatchObject({ amount: '20.00', alt_key: 'INV-7' })
    expect((await app.call(pathOf(free) + query)).text).toContain('INV-7')
    await payer.payByCard(CARDS.approve)
    const { payment_links } = await readDeepLink(merchant, free.id)
    expect(payment_links[0].options).toEqual({ default_amount: '20.00', default_alt_key: 'INV-7' })
    expect((await open(free, '?amount=<b>&reference=%00')).checkout.terms.amount).toBe('5.00')

    const fixed = await newDeepLink(merchant, { amount: '5.00' })
    const { terms } = (await open(fixed, query)).checkout
    expect(terms).toMatchObject({ amount: '5.00', amount_editable: false, alt_key: null })
  })

  it.each<[options: object, query: string, shown: object]>([
    [{ default_amount: '5.00' }, '?amount=7.005', { amount: '5.00' }],
    [{ default_amount: '500', currency: 'JPY' }, '?amount=7.5', { amount: '500' }],
    [{ default_amount: '5.00', amount_min: '2.00' }, '?amount=1.99', { amount: '5.00' }],
    [{ default_amount: '5.00', amount_max: '9.00' }, '?amount=9.01', { amount: '5.00' }],
    [{ default_amount: '5.00', amount_max: '9.00' }, '?amount=9.00', { amount: '9.00' }],
    [{ unit_amount: '3.00', quantity_max: 4 }, '?amount=7.00', { amount: '3.00' }],
    [{ alt_key: 'fixed' }, '?reference=INV-7', { alt_key: 'fixed', alt_key_editable: false }],
    [{ default_alt_key: 'a' }, '?reference=4242424242424242', { alt_key: 'a' }],
    [{ default_alt_key: 'a' }, '?reference=pay_1899_0a1b', { alt_key: 'a' }],
  ])('of %j opened with %s is shown %j', async (options, query, shown) => {
    const link = await newDeepLink(merchant, options as Record<string, unknown>)
    expect((await app.call(pathOf(link) + query)).status).toBe(200)
    expect((await open(link, query)).checkout.terms).toMatchObject(shown)
  })

  it('agrees to changed terms before paying, also after a decline', async () => {
    const link = await newDeepLink(merchant)
    const payer = await open(link)
    await put(link.id, { options: { amount: '13.00' } })
    expect(await outcome(payer.payByCard(CARDS.approve))).toBe('TERMS_CHANGED')
    expect(await outcome(payer.payByCard(CARDS.decline, { options_v: 2 }))).toBe('DECLINED')
    await put(link.id, { options: { amount: '14.00' } })
    expect(await outcome(payer.payByCard(CARDS.approve, { options_v: 2 }))).toBe('TERMS_CHANGED')
    expect((await payer.current()).json.checkout.terms.amount).toBe('14.00')
    expect(await outcome(payer.payByCard(CARDS.approve, { options_v: 3 }))).toBe('COMPLETED')
    const { payment_links } = await readDeepLink(merchant, link.id)
    expect(payment_links).toMatchObject([{ options: { amount: '14.00' }, attempts: 2 }])
    const edit = { method: 'PUT', body: { payment_link: { options: {} } } } as const
    const own = await newDeepLink(merchant)
    const other = await open(own)
    await other.payByCard(CARDS.decline)
    const { payment_link } = await checkoutOf(other)
    expect((await merchant.api(`/payment_links/${payment_link}`, edit)).json.error.message).toBe(
      'Payment link belongs to a deep link, whose terms it takes',
    )
  })

  it('pays at the address of the payment link too, which takes a use as well', async () => {
    const link = await newDeepLink(merchant, undefined, { max_uses: 1 })
    const payer = await open(link)
    await payer.payByCard(CARDS.decline)
    const { payment_link } = await checkoutOf(payer)
    const again = await openPayerClient(app, payment_link)
    expect(await outcome(again.payByCard(CARDS.approve))).toBe('COMPLETED')
    expect(await readDeepLink(merchant, link.id)).toMatchObject({ uses: 1, status: 'EXHAUSTED' })
  })
})

describe('the uses of a deep link', () => {
  it('are not exceeded by payers who pay at once', async () => {
    const link = await newDeepLink(merchant, undefined, { max_uses: 3 })
    const payers = await Promise.all([1, 2, 3, 4, 5].map(() => open(link)))
    const outcomes = await Promise.all(
      payers.map((payer) => outcome(payer.payByCard(CARDS.approve))),
    )
    expect(outcomes.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
      'GONE',
      'GONE',
    ])
    expect(await readDeepLink(merchant, link.id)).toMatchObject({
      status: 'EXHAUSTED',
      uses: 3,
      reserved_uses: 0,
      payment_links: [{}, {}, {}],
    })
    expect(await eventsOf(link.id)).toEqual(['created', 'exhausted', 'used', 'used', 'used'])
    expect((await app.call(pathOf(link))).status).toBe(410)
    expect((await app.call(`${pathOf(link)}/checkouts`, { body: {} })).status).toBe(410)
    expect((await app.call(`${pathOf(link)}/qr.svg`)).status).toBe(410)
    await put(link.id, { max_uses: 4 })
    expect(await outcome((await open(link)).payByCard(CARDS.approve))).toBe('COMPLETED')
  })

  it('are made by one payment link of a session that submits twice at once', async () => {
    const link = await newDeepLink(merchant)
    const payer = await open(link)
    const outcomes = await Promise.all([1, 2].map(() => outcome(payer.payByCard(CARDS.approve))))
    expect(outcomes.filter((each) => each === 'COMPLETED')).toHaveLength(1)
    expect(['BUSY', 'GONE']).toContain(outcomes.find((each) => each !== 'COMPLETED'))
    expect(await readDeepLink(merchant, link.id)).toMatchObject({ uses: 1, payment_links: [{}] })
  })

  it('are reserved by a pending payment, and given back when it fails', async () => {
    const link = await newDeepLink(merchant, undefined, { max_uses: 1 })
    const payer = await open(link)
    const other = await open(link)
    expect(await outcome(payer.payByCard(CARDS.pendingFailure))).toBe('PENDING')
    const pending = { status: 'ACTIVE', uses: 0, reserved_uses: 1 }
    expect(await readDeepLink(merchant, link.id)).toMatchObject(pending)
    expect(await outcome(other.payByCard(CARDS.approve))).toBe('GONE')
    await put(link.id, { max_uses: 2 })
    expect((await put(link.id, { max_uses: null })).status).toBe(200)
    app.pass(86_400_000)
    await reconcileDue(deps)
    const free = { uses: 0, reserved_uses: 0, payment_links: [{ status: 'ACTIVE' }] }
    expect(await readDeepLink(merchant, link.id)).toMatchObject(free)
  })

  it('cannot be limited below the payments that were made or are under way', async () => {
    const link = await newDeepLink(merchant)
    for (const card of [CARDS.approve, CARDS.pendingSuccess])
      await (await open(link)).payByCard(card)
    const refused = await put(link.id, { max_uses: 1 })
    expect(refused.json.error.message).toMatch(/^deep_link.max_uses must be at least 2/)
    expect((await put(link.id, { max_uses: 2 })).status).toBe(200)
  })

  it('are given back by a payer who leaves the bank, and paid once if the bank approves', async () => {
    const link = await newDeepLink(merchant, undefined, { max_uses: 1 })
    const payer = await open(link)
    expect(await outcome(payer.payByCard(CARDS.challenge))).toBe('ACTION')
    expect(await readDeepLink(merchant, link.id)).toMatchObject({ uses: 0, reserved_uses: 1 })
    expect(await outcome(payer.payByCard(CARDS.approve))).toBe('COMPLETED')
    expect(await readDeepLink(merchant, link.id)).toMatchObject({ uses: 1, reserved_uses: 0 })
  })
})

describe('an archived deep link', () => {
  it('ends its sessions and takes no payment', async () => {
    const link = await newDeepLink(merchant)
    const open1 = await open(link)
    const declined = await open(link)
    await declined.payByCard(CARDS.decline)
    const pending = await open(link)
    await pending.payByCard(CARDS.pendingSuccess)
    expect((await merchant.api(`/deep_links/${link.id}`, { method: 'DELETE' })).status).toBe(204)
    for (const payer of [open1, declined]) {
      expect(await outcome(payer.payByCard(CARDS.approve))).toBe('GONE')
      expect((await checkoutOf(payer)).status).toMatch(/EXPIRED|ABANDONED/)
    }
    expect((await app.call(pathOf(link))).status).toBe(410)
    const { payment_link } = await checkoutOf(declined)
    expect((await app.call(`/pay/${payment_link}`)).status).toBe(410)
    app.pass(86_400_000)
    await reconcileDue(deps)
    expect((await checkoutOf(pending)).status).toBe('COMPLETED')
  })
})

describe('a visit of a deep link', () => {
  it('writes nothing before the page opens its session', async () => {
    const link = await newDeepLink(merchant)
    const before = await rows()
    for (const path of ['', '?amount=7.00&reference=x', '/qr.svg']) {
      expect((await app.call(pathOf(link) + path)).status).toBe(200)
    }
    expect(await rows()).toEqual(before)
    await open(link)
    expect(await rows()).not.toEqual(before)
    await closeExpiredSessions(deps)
  })

  it('of a link to a task of an account is no payment page', async () => {
    expect((await app.call('/go/unknown-slug')).status).toBe(404)
    expect((await app.call('/go/unknown-slug/checkouts', { body: {} })).status).toBe(404)
  })
})

async function rows(): Promise<Record<string, string>> {
  const tables = await deps.db.introspection.getTables()
  const read = tables
    .map(({ name }) => name)
    .filter((name) => name !== 'buckets')
    .map(async (name) => {
      const all = await deps.db
        .selectFrom(name as 'deep_links')
        .selectAll()
        .execute()
      return [name, JSON.stringify(all)] as const
    })
  return Object.fromEntries(await Promise.all(read))
}
