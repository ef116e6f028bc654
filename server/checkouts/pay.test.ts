import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../db/tx.ts'
import { findLink, updateLink } from '../payment-links/store.ts'
import type { LinkRow } from '../payment-links/store.ts'
import { startTestApp } from '../testing/app.ts'
import { CARDS, cardToken, ledger, newLink, openPayer, readLink } from '../testing/payer.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { claimLink } from './store.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const RELATIONS = ['account', 'transaction', 'payment_method', 'payment'] as const

/** Lets time pass and the reconciler look, as it does by itself in a running server. */
async function later(ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(deps)
}

describe('a card that is approved', () => {
  it('pays the link, takes the amount once, and fills the relations', async () => {
    const link = await newLink(app.merchant, { amount: '12.50', currency: 'EUR' })
    const before = (await ledger(app)).length
    const payer = await openPayer(app, link.id)
    const { json } = await payer.payByCard(CARDS.approve)
    expect(json).toEqual({ outcome: 'COMPLETED' })
    expect((await ledger(app)).slice(before)).toEqual([1250])
    const paid = await readLink(app.merchant, link.id, 'payment,transaction')
    expect(paid).toMatchObject({ status: 'PAYMENT_SUCCESS', attempts: 1, v: 3 })
    expect(paid.opened).toBe(paid.last_opened)
    expect(paid.payment).toMatchObject({
      type: 'PAYMENT',
      status: 'SUCCESS',
      amount: '12.50',
      currency: 'EUR',
      payment_link: link.id,
      gateway_status: 'APPROVED',
      refundable_amount: '12.50',
    })
    expect(paid.transaction).toMatchObject({ type: 'PAYMENT', status: 'SUCCESS', amount: '12.50' })
    // Nothing was saved and nobody was named, so neither a method nor an account came to be.
    expect([paid.payment_method, paid.account]).toEqual([null, null])
  })

  it.each([
    ['JPY', '500', 500],
    ['KWD', '1.234', 1234],
    ['HUF', '10.50', 1050],
    ['EUR', '35', 3500],
  ])('takes %s %s as %d minor units', async (currency, amount, minor) => {
    const link = await newLink(app.merchant, { amount, currency })
    const before = (await ledger(app)).length
    await (await openPayer(app, link.id)).payByCard(CARDS.mastercard)
    expect((await ledger(app)).slice(before)).toEqual([minor])
  })

  it('shows the receipt to the session and to whoever opens the link again', async () => {
    const link = await newLink(app.merchant, { amount: '12.50', page_success_message: 'Thanks!' })
    const payer = await openPayer(app, link.id)
    await payer.payByCard(CARDS.approve)
    const mine = (await payer.current()).json.checkout
    expect(mine.status).toBe('COMPLETED')
    expect(mine.result).toMatchObject({
      outcome: 'COMPLETED',
      amount: '12.50',
      message: 'Thanks!',
      method: { type: 'CARD', brand: 'visa', last4: '4242' },
    })
    const page = await app.call(`/pay/${link.id}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain(mine.result.reference)
    expect(page.text).not.toContain('4242')
  })
})

describe('the same attempt again', () => {
  it('is one charge and one answer, however often and however fast it comes', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const before = (await ledger(app)).length
    const body = {
      attempt_key: randomUUID(),
      payment_method: { type: 'CARD', token: await cardToken(app, CARDS.approve) },
    }
    const answers = await Promise.all(Array.from({ length: 5 }, () => payer.submit(body)))
    answers.push(await payer.submit(body))
    expect(answers.map(({ json }) => json)).toEqual(answers.map(() => ({ outcome: 'COMPLETED' })))
    expect((await ledger(app)).length).toBe(before + 1)
    expect((await readLink(app.merchant, link.id)).attempts).toBe(1)
  })

  it('is refused when it asks for something else', async () => {
    const link = await newLink(app.merchant, { default_amount: '1.00' })
    const payer = await openPayer(app, link.id)
    const attempt_key = randomUUID()
    await payer.payByCard(CARDS.decline, { attempt_key })
    const { status, json } = await payer.payByCard(CARDS.approve, { attempt_key, amount: '2.00' })
    expect([status, json.error.message]).toEqual([
      400,
      'attempt_key was used for another submission',
    ])
  })
})

describe('many payers of one link', () => {
  it('makes exactly one processor call for fifty submits at once', async () => {
    const link = await newLink(app.merchant)
    const payers = await Promise.all(Array.from({ length: 50 }, () => openPayer(app, link.id)))
    const tokens = await Promise.all(payers.map(() => cardToken(app, CARDS.approve)))
    const before = (await ledger(app)).length
    const operations = await operationCount()
    const answers = await Promise.all(
      payers.map((payer, i) =>
        payer.submit({ payment_method: { type: 'CARD', token: tokens[i] } }),
      ),
    )
    const outcomes = answers.map(({ json }) => json.outcome)
    expect(outcomes.filter((outcome) => outcome === 'COMPLETED')).toHaveLength(1)
    expect(outcomes.every((outcome) => ['COMPLETED', 'BUSY', 'GONE'].includes(outcome))).toBe(true)
    expect((await ledger(app)).length).toBe(before + 1)
    expect((await operationCount()) - operations).toBe(1)
    expect((await readLink(app.merchant, link.id)).attempts).toBe(1)
  })

  async function operationCount(): Promise<number> {
    const rows = await deps.db
      .withTables<{ sandbox_operations: { operation: string } }>()
      .selectFrom('sandbox_operations')
      .select('operation')
      .execute()
    return rows.length
  }

  it('tells a second window that somebody is paying, and then shows it the receipt', async () => {
    const link = await newLink(app.merchant)
    const first = await openPayer(app, link.id)
    const second = await openPayer(app, link.id)
    const asked = await first.payByCard(CARDS.challenge)
    expect((await second.current()).json.checkout.result.outcome).toBe('BUSY')
    expect((await second.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'BUSY',
      message_id: 'status.busy',
    })
    expect((await app.call(`/pay/${link.id}`)).text).toContain('"view":"BUSY"')
    await choose(asked.json.action.url, 'approve')
    await later(60_000)
    expect((await second.current()).json.checkout.result.outcome).toBe('COMPLETED')
    expect((await second.payByCard(CARDS.approve)).json.outcome).toBe('GONE')
  })
})

async function choose(url: string, choice: 'approve' | 'decline') {
  const answer = await app.call(new URL(url).pathname, {
    method: 'POST',
    raw: new URLSearchParams({ choice }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(303)
  return answer.headers.get('location') as string
}

describe('a card that is declined', () => {
  it.each([
    ['decline', 'errors.declined'],
    ['insufficient', 'errors.insufficient_funds'],
    ['expired', 'errors.expired_card'],
    ['wrongCode', 'errors.declined'],
  ] as const)(
    '%s: says so, takes nothing, and leaves the link payable',
    async (card, message_id) => {
      const link = await newLink(app.merchant)
      const before = await ledger(app)
      const payer = await openPayer(app, link.id)
      const { json } = await payer.payByCard(CARDS[card])
      expect(json).toEqual({ outcome: 'DECLINED', message_id })
      const open = await readLink(app.merchant, link.id)
      expect(open).toMatchObject({ status: 'ACTIVE', attempts: 1 })
      for (const relation of RELATIONS) expect(open[relation]).toBeNull()
      expect((await payer.current()).json.checkout.result).toMatchObject({
        outcome: 'DECLINED',
        message_id,
      })
      expect(await ledger(app)).toEqual(before)
      expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
      expect((await readLink(app.merchant, link.id)).attempts).toBe(2)
    },
  )

  it('stores no method, even when the payer asked for it', async () => {
    const link = await newLink(app.merchant, { amount: '1.00', save_card: true })
    const payer = await openPayer(app, link.id)
    await payer.payByCard(CARDS.decline, { save_card: true })
    expect(
      await deps.db
        .selectFrom('payment_methods')
        .selectAll()
        .where('instance_id', '=', app.merchant.instance.id)
        .execute(),
    ).toEqual([])
  })
})

describe('a payment that is decided later', () => {
  it.each([
    ['pendingSuccess', 'PAYMENT_SUCCESS', 'COMPLETED', 'SUCCESS'],
    ['pendingFailure', 'ACTIVE', 'DECLINED', 'DECLINE'],
  ] as const)('%s ends as %s', async (card, status, outcome, paymentStatus) => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    expect((await payer.payByCard(CARDS[card])).json).toEqual({
      outcome: 'PENDING',
      message_id: 'status.processing',
    })
    const pending = await readLink(app.merchant, link.id, 'payment')
    expect([pending.status, pending.payment.status]).toEqual(['PAYMENT_PENDING', 'PENDING'])
    const id = pending.payment.id
    await later(2_000)
    expect((await readLink(app.merchant, link.id)).status).toBe(status)
    expect((await payer.current()).json.checkout.result.outcome).toBe(outcome)
    const payment = await deps.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(payment.status).toBe(paymentStatus)
  })

  it('refuses new options and a new expiry while pending, and takes new state', async () => {
    const link = await newLink(app.merchant)
    await (await openPayer(app, link.id)).payByCard(CARDS.pendingSuccess)
    const put = (payment_link: unknown) =>
      app.merchant.api(`/payment_links/${link.id}`, { method: 'PUT', body: { payment_link } })
    for (const change of [{ options: { amount: '1.00' } }, { expires: '2031-01-01T00:00:00Z' }]) {
      const { status, json } = await put(change)
      expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
    }
    expect((await put({ state: 'x' })).json.payment_link.state).toBe('x')
  })

  it('counts money that arrives after the link expired', async () => {
    const link = await newLink(
      app.merchant,
      { amount: '1.00' },
      { expires: new Date(app.now() + 1000).toISOString() },
    )
    await (await openPayer(app, link.id)).payByCard(CARDS.pendingSuccess)
    app.pass(1500)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_PENDING')
    await later(2_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })

  it('shows a link as expired whose late payment failed', async () => {
    const link = await newLink(
      app.merchant,
      { amount: '1.00' },
      { expires: new Date(app.now() + 1000).toISOString() },
    )
    await (await openPayer(app, link.id)).payByCard(CARDS.pendingFailure)
    await later(3_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('EXPIRED')
  })
})

describe('a bank that asks the payer first', () => {
  it('is paid after Approve, and the bank returns the payer by 303', async () => {
    const link = await newLink(app.merchant, {
      amount: '9.00',
      success_url: 'https://shop.example/ok#top',
      skip_receipt: true,
    })
    const payer = await openPayer(app, link.id)
    const { json } = await payer.payByCard(CARDS.challenge)
    expect(json).toMatchObject({ outcome: 'ACTION', action: { type: 'REDIRECT' } })
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.current()).json.checkout).toMatchObject({
      status: 'SUBMITTED',
      result: { outcome: 'ACTION' },
    })
    const back = new URL(await choose(json.action.url, 'approve'))
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
    const payer = await openPayer(app, link.id)
    const { json } = await payer.payByCard(CARDS.challenge)
    const back = new URL(await choose(json.action.url, 'decline'))
    const location = (await app.call(back.pathname)).headers.get('location') as string
    expect(location.startsWith(link.url)).toBe(true)
    const page = await app.call(location.slice('http://shop.test'.length))
    expect(page.text).toContain('"notice":"errors.authentication_failed"')
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('is declined when the money is missing after the challenge', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const { json } = await payer.payByCard(CARDS.challengeThenInsufficient)
    await app.call(new URL(await choose(json.action.url, 'approve')).pathname)
    expect((await payer.current()).json.checkout.result).toMatchObject({
      outcome: 'DECLINED',
      message_id: 'errors.insufficient_funds',
    })
  })

  it('is noticed when the payer approves and never comes back', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const { json } = await payer.payByCard(CARDS.challenge)
    await choose(json.action.url, 'approve')
    await later(10_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
    expect((await payer.current()).json.checkout.result.outcome).toBe('COMPLETED')
  })

  it('frees the link when the payer comes back and pays another way', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    const before = (await ledger(app)).length
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    // The first try is dead at the processor: approving it now takes nothing.
    await choose(asked.json.action.url, 'approve')
    expect((await ledger(app)).length).toBe(before + 1)
  })

  it('is not given up for a submit that is refused', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    expect((await payer.payByCard(CARDS.approve, { options_v: 7 })).json.outcome).toBe(
      'TERMS_CHANGED',
    )
    expect((await payer.payByCard(CARDS.approve, { amount: '1.00' })).status).toBe(400)
    await app.call(new URL(await choose(asked.json.action.url, 'approve')).pathname)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })

  it('counts as paid when it was approved before the payer chose another way', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    await choose(asked.json.action.url, 'approve')
    const before = (await ledger(app)).length
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect((await ledger(app)).length).toBe(before)
  })

  it('writes nothing while it waits', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const asked = await payer.payByCard(CARDS.challenge)
    for (let i = 0; i < 5; i += 1) await later(60_000)
    await app.call(new URL(await choose(asked.json.action.url, 'approve')).pathname)
    expect((await readLink(app.merchant, link.id, 'payment')).payment.v).toBe(3)
  })

  it('frees the link when nobody finishes it in fifteen minutes', async () => {
    const link = await newLink(app.merchant)
    await (await openPayer(app, link.id)).payByCard(CARDS.challenge)
    for (let minute = 0; minute < 17; minute += 1) await later(60_000)
    const other = await openPayer(app, link.id)
    expect((await other.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('does not let the merchant change the terms meanwhile', async () => {
    const link = await newLink(app.merchant)
    await (await openPayer(app, link.id)).payByCard(CARDS.challenge)
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

describe('a processor that gives no answer', () => {
  it('is never called a decline: it stays unresolved, and then the charge is found', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const before = (await ledger(app)).length
    expect((await payer.payByCard(CARDS.noAnswerTaken)).json).toEqual({
      outcome: 'PENDING',
      message_id: 'status.checking',
    })
    const unresolved = await readLink(app.merchant, link.id, 'payment')
    expect([unresolved.status, unresolved.payment.status]).toEqual([
      'PAYMENT_PENDING',
      'UNRESOLVED',
    ])
    expect((await payer.current()).json.checkout.result).toMatchObject({
      outcome: 'CHECKING',
      redirect: null,
    })
    // Nobody can pay a second time meanwhile.
    expect((await (await openPayer(app, link.id)).payByCard(CARDS.approve)).json.outcome).toBe(
      'BUSY',
    )
    await later(5_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
    expect((await ledger(app)).length).toBe(before + 1)
  })

  it('frees the link once the processor says that it took nothing', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const before = (await ledger(app)).length
    expect((await payer.payByCard(CARDS.noAnswerNotTaken)).json.outcome).toBe('PENDING')
    await later(5_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.current()).json.checkout.result.outcome).toBe('DECLINED')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect((await ledger(app)).length).toBe(before + 1)
  })

  it('sends nobody away to a shop while nobody knows', async () => {
    const link = await newLink(app.merchant, {
      amount: '1.00',
      skip_receipt: true,
      pending_url: 'https://shop.example/wait',
    })
    const { json } = await (await openPayer(app, link.id)).payByCard(CARDS.noAnswerTaken)
    expect(json).toEqual({ outcome: 'PENDING', message_id: 'status.checking' })
  })
})

describe('terms', () => {
  const put = (id: string, payment_link: unknown) =>
    app.merchant.api(`/payment_links/${id}`, { method: 'PUT', body: { payment_link } })

  it('that changed while the page was open are shown before anything is charged', async () => {
    const link = await newLink(app.merchant, { amount: '1.00' })
    const payer = await openPayer(app, link.id)
    await put(link.id, { options: { amount: '2.00' } })
    const before = (await ledger(app)).length
    expect((await payer.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'TERMS_CHANGED',
      message_id: 'status.terms_changed',
    })
    expect((await ledger(app)).length).toBe(before)
    const { checkout } = (await payer.current()).json
    expect([checkout.options_v, checkout.terms.amount]).toEqual([2, '2.00'])
    expect((await payer.payByCard(CARDS.approve, { options_v: 2 })).json.outcome).toBe('COMPLETED')
    expect((await ledger(app)).at(-1)).toBe(200)
  })

  it('stay agreed when only the free data of the link changed', async () => {
    const link = await newLink(app.merchant, { amount: '1.00' })
    const payer = await openPayer(app, link.id)
    await put(link.id, { state: { seen: true } })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  const fixed = { amount: '12.50', alt_key: 'order-1', description: 'Two coffees', account: 'acc' }
  it.each([
    ['amount', { amount: '12.51' }, 'amount is fixed by the link'],
    ['currency', { currency: 'USD' }, 'currency must be EUR, as the link says'],
    ['alt_key', { alt_key: 'order-2' }, 'alt_key is fixed by the link'],
    ['description', { description: 'Other' }, 'description is fixed by the link'],
    ['account', { account: { email: 'eve@example.com' } }, 'account is fixed by the link'],
    ['an unknown member', { price: '1' }, 'Unknown field price'],
  ])('that are fixed cannot be changed by the browser: %s', async (_what, more, message) => {
    const account = await newAccount()
    const link = await newLink(app.merchant, { ...fixed, account })
    const before = (await ledger(app)).length
    const { status, json } = await (await openPayer(app, link.id)).payByCard(CARDS.approve, more)
    expect([status, json.error.message]).toEqual([400, message])
    expect((await ledger(app)).length).toBe(before)
    expect((await readLink(app.merchant, link.id)).attempts).toBe(0)
  })

  it('that are fixed may be sent back as they are', async () => {
    const link = await newLink(app.merchant, { amount: '12.5', alt_key: 'order-1' })
    const payer = await openPayer(app, link.id)
    expect(
      (
        await payer.payByCard(CARDS.approve, {
          amount: '12.50',
          alt_key: 'order-1',
          currency: 'EUR',
        })
      ).json.outcome,
    ).toBe('COMPLETED')
  })

  it('that the payer chooses are recorded', async () => {
    const link = await newLink(app.merchant, {
      default_amount: '5.00',
      default_alt_key: 'a',
      default_description: 'b',
      allow_description: true,
    })
    const payer = await openPayer(app, link.id)
    await payer.payByCard(CARDS.approve, {
      amount: '7.25',
      alt_key: 'mine',
      description: 'For Ada',
    })
    expect((await readLink(app.merchant, link.id, 'payment')).payment).toMatchObject({
      amount: '7.25',
      alt_key: 'mine',
      description: 'For Ada',
      payer_comment: null,
    })
  })

  it('keep a fixed comment and the payer’s own one apart', async () => {
    const link = await newLink(app.merchant, {
      amount: '1.00',
      description: 'Invoice 7',
      allow_description: true,
    })
    await (await openPayer(app, link.id)).payByCard(CARDS.approve, { description: 'Paid by Bob' })
    expect((await readLink(app.merchant, link.id, 'payment')).payment).toMatchObject({
      description: 'Invoice 7',
      payer_comment: 'Paid by Bob',
    })
  })

  it.each([
    [{}, 'amount is required'],
    [{ amount: '1.234' }, 'amount has too many decimal places for EUR'],
    [{ amount: '1,00' }, 'amount must be a decimal amount'],
    [{ amount: '0.00' }, 'amount must be more than zero'],
  ])('need an amount that can be charged: %j', async (more, message) => {
    const link = await newLink(app.merchant, {})
    const { status, json } = await (await openPayer(app, link.id)).payByCard(CARDS.approve, more)
    expect(status).toBe(400)
    expect(json.error.message).toContain(message)
  })
})

/** An account as a payer's page makes one. */
async function newAccount(): Promise<string> {
  const link = await newLink(app.merchant, {
    amount: '1.00',
    account: { email: 'ada@example.com' },
  })
  await (await openPayer(app, link.id)).payByCard(CARDS.approve)
  return (await readLink(app.merchant, link.id)).account
}

describe('a merchant who edits while a payer pays', () => {
  // Both orders of an edit and a claim, by hand: no timing decides them.
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
    expires: link.expires,
    options: link.options,
    options_v: link.options_v,
    state: link.state,
    expiry_told: link.expiry_told,
    updated: link.updated,
    v: link.v + 1,
    ...change,
  })

  it('never takes the claim away, whichever of the two was read first', async () => {
    const { id } = await newLink(app.merchant)
    const read = (await findLink(deps.db, id)) as LinkRow
    expect(await claim(read)).toBeDefined()
    expect(await updateLink(deps.db, read, edit(read, { state: '"x"' }))).toBe(true)
    expect((await findLink(deps.db, id))?.claim).toBe('at_test')
    const again = (await findLink(deps.db, id)) as LinkRow
    const options = { options: '{"amount":"99.00"}', options_v: again.options_v + 1 }
    expect(await updateLink(deps.db, again, edit(again, options))).toBe(false)
  })

  it('wins when the edit comes first: the payer then sees the new terms', async () => {
    const { id } = await newLink(app.merchant)
    const read = (await findLink(deps.db, id)) as LinkRow
    const options = { options: '{"amount":"99.00"}', options_v: read.options_v + 1 }
    expect(await updateLink(deps.db, read, edit(read, options))).toBe(true)
    expect(await claim(read)).toBeUndefined()
  })

  it('finds the link paid after any number of edits at once', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
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

  it('changes no currency under a payer by changing the default', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant, { amount: '10.50' })
    const payer = await openPayer(app, link.id)
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
    // In yen there is no 10.50, so nobody is shown a price that cannot be charged.
    expect((await app.call(`/pay/${link.id}`)).status).toBe(410)
    expect((await app.call(`/pay/${link.id}/checkouts`, { body: {} })).status).toBe(410)
    await payer.payByCard(CARDS.approve)
    expect((await readLink(merchant, link.id, 'payment')).payment).toMatchObject({
      amount: '10.50',
      currency: 'EUR',
    })
  })
})

describe('whoever opens a paid link', () => {
  it('sees amount, reference and date, and nothing of the person who paid', async () => {
    const account = {
      crm_key: 'private',
      email: 'ada@example.com',
      last_name: 'Lovelace',
      phone: '0123',
    }
    const link = await newLink(app.merchant, {
      amount: '1.00',
      account,
      success_url: 'https://shop.example/ok',
      save_card: true,
    })
    const payer = await openPayer(app, link.id)
    await payer.payByCard(CARDS.approve)
    const { account: accountId } = await readLink(app.merchant, link.id)
    const page = (await app.call(`/pay/${link.id}`)).text
    const opened = (await app.call(`/pay/${link.id}/checkouts`, { body: {} })).text
    for (const answer of [page, opened]) {
      for (const secret of ['ada@example.com', 'Lovelace', '0123"', accountId, '4242']) {
        expect(answer).not.toContain(secret)
      }
    }
    expect((await payer.current()).json.checkout.result.redirect).toContain(accountId)
  })
})

describe('an address with more in its query than we asked for', () => {
  it('opens the page all the same', async () => {
    const link = await newLink(app.merchant)
    const page = await app.call(`/pay/${link.id}?utm_source=a&utm_source=b&lang=de&lang=fr`)
    expect([page.status, page.text.includes('lang="de"')]).toEqual([200, true])
  })
})

describe('a link that cannot be paid', () => {
  const expires = () => new Date(app.now() + 1000).toISOString()

  it('takes nothing from a session that was open when it expired', async () => {
    const link = await newLink(app.merchant, { amount: '1.00' }, { expires: expires() })
    const payer = await openPayer(app, link.id)
    app.pass(1000)
    const before = await ledger(app)
    expect((await payer.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'GONE',
      message_id: 'errors.link_gone',
    })
    expect(await ledger(app)).toEqual(before)
  })

  it('takes nothing after it was archived', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    await app.merchant.api(`/payment_links/${link.id}`, { method: 'DELETE' })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('GONE')
  })

  it('shows an open session that it is over when the link is archived or expires', async () => {
    const archived = await newLink(app.merchant)
    const first = await openPayer(app, archived.id)
    await app.merchant.api(`/payment_links/${archived.id}`, { method: 'DELETE' })
    expect((await first.current()).json.checkout.status).toBe('EXPIRED')
    const expired = await newLink(app.merchant, {}, { expires: expires() })
    const second = await openPayer(app, expired.id)
    app.pass(1000)
    expect((await second.current()).json.checkout.status).toBe('EXPIRED')
  })

  it('takes nothing in a session that is over', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
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
    for (const [id, status] of [
      [expired.id, 410],
      [archived.id, 410],
      ['pl_x_y', 404],
    ] as const) {
      const opened = await app.call(`/pay/${id}/checkouts`, { body: {} })
      expect([opened.status, opened.json.error.type]).toEqual([
        status,
        status === 410 ? 'GONE' : 'NOT_FOUND',
      ])
      expect((await app.call(`/pay/${id}`)).status).toBe(status)
    }
  })
})

describe('who pays', () => {
  it('becomes an account that is pending until the first success', async () => {
    const link = await newLink(app.merchant, {
      amount: '1.00',
      account: { crm_key: 'crm-1', email: 'ada@example.com' },
    })
    const payer = await openPayer(app, link.id)
    expect(payer.checkout.details).toEqual({ needed: true, prefill: { email: 'ada@example.com' } })
    await payer.payByCard(CARDS.decline, {
      account: { email: 'ada@example.com', first_name: 'Ada' },
    })
    const find = () =>
      deps.db.selectFrom('accounts').selectAll().where('crm_key', '=', 'crm-1').execute()
    expect((await find()).map(({ status, first_name }) => [status, first_name])).toEqual([
      ['PENDING', 'Ada'],
    ])
    await payer.payByCard(CARDS.approve)
    const [account] = await find()
    expect(account).toMatchObject({ status: 'ACTIVE', email: 'ada@example.com' })
    expect((await readLink(app.merchant, link.id)).account).toBe(account?.id)
    expect(account?.last_transaction_id).toBe((await readLink(app.merchant, link.id)).transaction)
  })

  it('is the known account of that crm_key, which a stranger’s typing never changes', async () => {
    const options = { amount: '1.00', account: { crm_key: 'crm-2', email: 'ada@example.com' } }
    const first = await newLink(app.merchant, options)
    await (await openPayer(app, first.id)).payByCard(CARDS.approve)
    const second = await newLink(app.merchant, options)
    await (
      await openPayer(app, second.id)
    ).payByCard(CARDS.approve, { account: { email: 'eve@example.com' } })
    const links = [
      await readLink(app.merchant, first.id),
      await readLink(app.merchant, second.id, 'account'),
    ]
    expect(links[1].account).toMatchObject({ id: links[0].account, email: 'ada@example.com' })
  })

  it('is told nothing about an account that the merchant named', async () => {
    const link = await newLink(app.merchant, { amount: '1.00', account: await newAccount() })
    const payer = await openPayer(app, link.id)
    expect(payer.checkout.details).toEqual({ needed: false, prefill: {} })
    expect((await app.call(`/pay/${link.id}`)).text).not.toContain('ada@example.com')
  })
})

describe('the session', () => {
  it('opens only for a token that we issued', async () => {
    for (const authorization of ['', 'Bearer x', `Bearer ckt_${'a'.repeat(43)}`]) {
      for (const [path, call] of [
        ['/pay/checkouts/current', {}],
        ['/pay/checkouts/current/submit', { body: {} }],
      ] as const) {
        const { status, json } = await app.call(path, { ...call, headers: { authorization } })
        expect([status, json.code]).toEqual([401, 'UNAUTHORIZED'])
      }
    }
  })

  it('is not opened by another site', async () => {
    const link = await newLink(app.merchant)
    const { status } = await app.call(`/pay/${link.id}/checkouts`, {
      body: {},
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(status).toBe(403)
  })

  it('freezes the wording by its content and keeps the token nowhere', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayer(app, link.id)
    const row = await deps.db
      .selectFrom('checkouts')
      .selectAll()
      .where('id', '=', payer.checkout.id)
      .executeTakeFirstOrThrow()
    const bundle = await deps.db
      .selectFrom('bundles')
      .selectAll()
      .where('key', '=', row.bundle)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(bundle.strings)).toEqual(payer.checkout.strings)
    expect(bundle.hash).toBe(payer.checkout.strings_hash)
    expect(JSON.stringify(row)).not.toContain(payer.token.slice(-43))
  })

  it('is counted by the link, which only the first one writes to', async () => {
    const link = await newLink(app.merchant)
    await openPayer(app, link.id)
    app.pass(5000)
    await openPayer(app, link.id)
    const read = await readLink(app.merchant, link.id)
    expect(Date.parse(read.last_opened) - Date.parse(read.opened)).toBe(5000)
    expect(read.v).toBe(2)
  })
})

describe('the page', () => {
  it('writes nothing when it is opened', async () => {
    const link = await newLink(app.merchant)
    const before = app.checkstand.database.stats().transactions
    for (let i = 0; i < 3; i += 1) expect((await app.call(`/pay/${link.id}`)).status).toBe(200)
    expect(app.checkstand.database.stats().transactions).toBe(before)
    expect((await readLink(app.merchant, link.id)).opened).toBeNull()
  })

  it('sets no cookie, is kept by no cache, and runs no script but its own', async () => {
    const link = await newLink(app.merchant, { amount: '1.00', name: '</script><b>' })
    const { headers, text } = await app.call(`/pay/${link.id}`)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('strict-origin')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    )
    expect(text).not.toContain('</script><b>')
  })

  it('never shows what the merchant keeps with the link', async () => {
    const link = await newLink(app.merchant, { amount: '1.00' }, { state: { secret: 'canary-1' } })
    const payer = await openPayer(app, link.id)
    expect((await app.call(`/pay/${link.id}`)).text).not.toContain('canary-1')
    expect((await payer.current()).text).not.toContain('canary-1')
  })
})

describe('what is kept of a card', () => {
  it('is never its number or security code, in the database or the log', async () => {
    const link = await newLink(app.merchant, { amount: '1.00', save_card: true })
    await (await openPayer(app, link.id)).payByCard(CARDS.amex, { save_card: true })
    const tables = await deps.db.introspection.getTables()
    let everything = app.logged()
    for (const { name } of tables) {
      const rows = await deps.db
        .selectFrom(name as 'payments')
        .selectAll()
        .execute()
      everything += JSON.stringify(rows)
    }
    for (const number of Object.values(CARDS)) expect(everything).not.toContain(number)
    expect(everything).toContain('0005')
  })
})
