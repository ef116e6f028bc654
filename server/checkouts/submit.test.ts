import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  completeChallenge,
  cardToken,
  sandboxCharges,
  newLink,
  openPayerClient,
  readLink,
  openNewLink,
  payNewLink,
} from '../../test/payer-client.ts'
import {
  chargedDuring,
  errorSummary,
  reconcileAfter,
  openPaymentsClient,
} from '../../test/payments-client.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const RELATIONS = ['account', 'transaction', 'payment_method', 'payment'] as const

describe('an approved card', () => {
  it('pays the link, charges the amount once, and fills the relations', async () => {
    const { link, payer } = await openNewLink(app, { amount: '12.50', currency: 'EUR' })
    const pay = async () =>
      expect((await payer.payByCard(CARDS.approve)).json).toEqual({ outcome: 'COMPLETED' })
    expect(await chargedDuring(app, pay)).toEqual([1250])
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
    // No details and no saved card, so neither an account nor a method is created.
    expect([paid.payment_method, paid.account]).toEqual([null, null])
  })

  it.each([
    ['JPY', '500', 500],
    ['KWD', '1.234', 1234],
    ['HUF', '10.50', 1050],
    ['EUR', '35', 3500],
  ])('takes %s %s as %d minor units', async (currency, amount, minor) => {
    const pay = () => payNewLink(app, CARDS.mastercard, { amount, currency })
    expect(await chargedDuring(app, pay)).toEqual([minor])
  })

  it('shows the receipt to the session and to later visitors', async () => {
    const { link, payer } = await payNewLink(app, CARDS.approve, {
      amount: '12.50',
      page_success_message: 'Thanks!',
    })
    const own = (await payer.current()).json.checkout
    expect(own.status).toBe('COMPLETED')
    expect(own.result).toMatchObject({
      outcome: 'COMPLETED',
      amount: '12.50',
      message: 'Thanks!',
      method: { type: 'CARD', brand: 'visa', last4: '4242' },
    })
    const page = await app.call(`/pay/${link.id}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain(own.result.reference)
    expect(page.text).not.toContain('4242')
  })
})

describe('a repeated submit', () => {
  it('charges once and returns the same response, also concurrently', async () => {
    const { link, payer } = await openNewLink(app)
    const payment_method = { type: 'CARD', token: await cardToken(app, CARDS.approve) }
    const body = { attempt_key: randomUUID(), payment_method }
    const submit = async () =>
      expect((await payer.submit(body)).json).toEqual({ outcome: 'COMPLETED' })
    const charged = await chargedDuring(app, async () => {
      await Promise.all(Array.from({ length: 5 }, submit))
      await submit()
    })
    expect(charged).toHaveLength(1)
    expect((await readLink(app.merchant, link.id)).attempts).toBe(1)
  })

  it('is refused with different content', async () => {
    const { payer } = await openNewLink(app, { default_amount: '1.00' })
    const attempt_key = randomUUID()
    await payer.payByCard(CARDS.decline, { attempt_key })
    const repeat = await payer.payByCard(CARDS.approve, { attempt_key, amount: '2.00' })
    const error = [400, 'INVALID_REQUEST', 'attempt_key was used for another submission']
    expect(errorSummary(repeat)).toEqual(error)
  })
})

describe('concurrent payers of one link', () => {
  it('cause one processor call for fifty concurrent submits', async () => {
    const link = await newLink(app.merchant)
    const payers = await Promise.all(
      Array.from({ length: 50 }, () => openPayerClient(app, link.id)),
    )
    const tokens = await Promise.all(payers.map(() => cardToken(app, CARDS.approve)))
    const before = (await sandboxCharges(app)).length
    const operations = await operationCount()
    const responses = await Promise.all(
      payers.map((payer, i) =>
        payer.submit({ payment_method: { type: 'CARD', token: tokens[i] } }),
      ),
    )
    const outcomes = responses.map(({ json }) => json.outcome)
    expect(outcomes.filter((outcome) => outcome === 'COMPLETED')).toHaveLength(1)
    expect(outcomes.every((outcome) => ['COMPLETED', 'BUSY', 'GONE'].includes(outcome))).toBe(true)
    expect((await sandboxCharges(app)).length).toBe(before + 1)
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

  it('are shown that another payer is paying, and then the receipt', async () => {
    const { link, payer: first } = await openNewLink(app)
    const second = await openPayerClient(app, link.id)
    const requests = await first.payByCard(CARDS.challenge)
    expect((await second.current()).json.checkout.result.outcome).toBe('BUSY')
    expect((await second.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'BUSY',
      message_id: 'status.busy',
    })
    expect((await app.call(`/pay/${link.id}`)).text).toContain('"view":"BUSY"')
    await completeChallenge(app, requests.json.action.url, 'approve')
    await reconcileAfter(app, 60_000)
    expect((await second.current()).json.checkout.result.outcome).toBe('COMPLETED')
    expect((await second.payByCard(CARDS.approve)).json.outcome).toBe('GONE')
  })
})

describe('another payer’s payment in progress', () => {
  it.each([
    [{ amount: '5' }, '5.00'],
    [{ default_amount: '7.5' }, null],
    [{ amount: '500', currency: 'JPY' }, '500'],
  ])('of %j shows the amount %j', async (options, amount) => {
    const { link, payer } = await openNewLink(app, { currency: 'EUR', ...options })
    const other = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.challenge)
    const { result } = (await other.current()).json.checkout
    expect([result.outcome, result.amount]).toEqual(['BUSY', amount])
  })
})

describe('a declined card', () => {
  it.each([
    ['decline', 'errors.declined'],
    ['insufficient', 'errors.insufficient_funds'],
    ['expired', 'errors.expired_card'],
    ['wrongCode', 'errors.declined'],
  ] as const)(
    '%s: returns the decline, charges nothing, and leaves the link payable',
    async (card, message_id) => {
      const { link, payer } = await openNewLink(app)
      const declined = { outcome: 'DECLINED', message_id }
      const pay = async () => expect((await payer.payByCard(CARDS[card])).json).toEqual(declined)
      expect(await chargedDuring(app, pay)).toEqual([])
      const open = await readLink(app.merchant, link.id)
      expect(open).toMatchObject({ status: 'ACTIVE', attempts: 1 })
      for (const relation of RELATIONS) expect(open[relation]).toBeNull()
      expect((await payer.current()).json.checkout.result).toMatchObject(declined)
      expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
      expect((await readLink(app.merchant, link.id)).attempts).toBe(2)
    },
  )

  it('saves no method, even with save_card', async () => {
    await payNewLink(app, CARDS.decline, { amount: '1.00', save_card: true }, { save_card: true })
    expect((await app.merchant.api('/payment_methods')).json.meta.total).toBe(0)
  })
})

describe('a pending payment', () => {
  it.each([
    ['pendingSuccess', 'PAYMENT_SUCCESS', 'COMPLETED', 'SUCCESS'],
    ['pendingFailure', 'ACTIVE', 'DECLINED', 'DECLINE'],
  ] as const)('%s ends as %s', async (card, status, outcome, paymentStatus) => {
    const { link, payer } = await openNewLink(app)
    expect((await payer.payByCard(CARDS[card])).json).toEqual({
      outcome: 'PENDING',
      message_id: 'receipt.pending',
    })
    const pending = await readLink(app.merchant, link.id, 'payment')
    expect([pending.status, pending.payment.status]).toEqual(['PAYMENT_PENDING', 'PENDING'])
    await reconcileAfter(app, 2_000)
    expect((await readLink(app.merchant, link.id)).status).toBe(status)
    expect((await payer.current()).json.checkout.result.outcome).toBe(outcome)
    const payment = await openPaymentsClient(app).read(pending.payment.id)
    expect(payment.status).toBe(paymentStatus)
  })

  it('prevents new options and a new expiry, and allows a new state', async () => {
    const { link } = await payNewLink(app, CARDS.pendingSuccess)
    const put = (payment_link: unknown) =>
      app.merchant.api(`/payment_links/${link.id}`, { method: 'PUT', body: { payment_link } })
    for (const change of [{ options: { amount: '1.00' } }, { expires: '2031-01-01T00:00:00Z' }]) {
      expect(errorSummary(await put(change)).slice(0, 2)).toEqual([400, 'INVALID_STATE'])
    }
    expect((await put({ state: 'x' })).json.payment_link.state).toBe('x')
  })

  it('succeeds after the link has expired', async () => {
    const expires = new Date(app.now() + 1000).toISOString()
    const { link, payer } = await openNewLink(app, { amount: '1.00' }, { expires })
    await payer.payByCard(CARDS.pendingSuccess)
    app.pass(1500)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_PENDING')
    await reconcileAfter(app, 2_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })
})

describe('a processor that does not respond', () => {
  it('leaves the payment unresolved, not declined, until the charge is found', async () => {
    const { link, payer } = await openNewLink(app)
    const before = (await sandboxCharges(app)).length
    expect((await payer.payByCard(CARDS.noAnswerTaken)).json).toEqual({
      outcome: 'PENDING',
      message_id: 'status.checking',
    })
    expect(await readLink(app.merchant, link.id, 'payment')).toMatchObject({
      status: 'PAYMENT_PENDING',
      payment: { status: 'UNRESOLVED' },
    })
    const checking = { outcome: 'CHECKING', redirect: null }
    expect((await payer.current()).json.checkout.result).toMatchObject(checking)
    // The link accepts no second payment meanwhile.
    const other = await openPayerClient(app, link.id)
    expect((await other.payByCard(CARDS.approve)).json.outcome).toBe('BUSY')
    await reconcileAfter(app, 5_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
    expect((await sandboxCharges(app)).length).toBe(before + 1)
  })

  it('frees the link once the processor reports that nothing was charged', async () => {
    const { link, payer } = await openNewLink(app)
    const before = (await sandboxCharges(app)).length
    expect((await payer.payByCard(CARDS.noAnswerNotTaken)).json.outcome).toBe('PENDING')
    await reconcileAfter(app, 5_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.current()).json.checkout.result.outcome).toBe('DECLINED')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect((await sandboxCharges(app)).length).toBe(before + 1)
  })

  it('does not redirect the payer while the outcome is unknown', async () => {
    const { json } = await payNewLink(app, CARDS.noAnswerTaken, {
      amount: '1.00',
      skip_receipt: true,
      pending_url: 'https://shop.example/wait',
    })
    expect(json).toEqual({ outcome: 'PENDING', message_id: 'status.checking' })
  })
})
