import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newDeepLink, readDeepLink } from '../../test/deep-links.ts'
import {
  cardToken,
  completeChallenge,
  newLink,
  openPayerClient,
  openPayerClientAt,
  readLink,
  returnFromBank,
} from '../../test/payer-client.ts'
import {
  DAY_MS,
  errorSummary,
  type Json,
  openPaymentsClient,
  recordedEvents,
  stubCapabilities,
  stubProcessor,
} from '../../test/payments-client.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { syncDueSetups } from '../method-setups/sync.ts'
import { collectDue } from '../payments/collect-due-charges.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand

const TRIAL = { frequency: 'MONTH', trial_days: 14 }

/** A payer at a link that begins with a free trial. */
async function trial(options: Record<string, unknown> = {}) {
  const merchant = await app.newMerchant()
  const link = await newLink(merchant, { amount: '12.50', recurring: TRIAL, ...options })
  const get = async (path: string): Promise<Json> => (await merchant.api(path)).json
  return {
    merchant,
    get,
    link: link.id as string,
    payer: await openPayerClient(app, link.id),
    read: (expand?: string) => readLink(merchant, link.id, expand),
    contracts: async (): Promise<Json[]> => (await get('/contracts?order=created')).contracts,
    charges: async (): Promise<Json[]> => (await get('/charges?order=created')).charges,
    payments: async (): Promise<Json[]> => (await get('/payments')).payments,
    types: async () => (await recordedEvents(app, merchant)).map(({ type }) => type),
    outcome: async () => (await openPayerClient(app, link.id)).checkout.result?.outcome,
  }
}

async function collect(): Promise<void> {
  await createDueCharges(deps)
  await collectDue(deps)
}

/** Lets time pass and queries the set-ups that are due by then; milliseconds. */
async function syncAfter(ms: number): Promise<void> {
  app.pass(ms)
  await syncDueSetups(deps)
}

describe('a free trial', () => {
  it('saves the method and begins the contract without a payment', async () => {
    const { payer, link, read, contracts, charges, payments, types, get } = await trial({
      success_url: 'https://shop.example/thanks',
    })
    expect(payer.checkout.terms).toMatchObject({ amount: '12.50', recurring: { trial_days: 14 } })
    const { json } = await payer.payByCard(CARDS.approve)
    expect(json).toEqual({ outcome: 'COMPLETED' })
    const [contract] = await contracts()
    const begun = await read()
    expect(begun).toMatchObject({
      status: 'PAYMENT_SUCCESS',
      contract: contract.id,
      account: contract.account,
      payment_method: contract.payment_method,
      charge: null,
      payment: null,
      transaction: null,
      attempts: 1,
    })
    expect(contract).toMatchObject({
      status: 'ACTIVE',
      amount: '12.50',
      recurring: { trial_days: 14 },
      payment_link: link,
      next_due: new Date(app.now() + 14 * DAY_MS).toISOString(),
      charges_total: 0,
    })
    expect([await charges(), await payments()]).toEqual([[], []])
    const { account } = await get(`/accounts/${contract.account}`)
    expect(account).toMatchObject({ status: 'ACTIVE', last_transaction: null })
    const events = await types()
    for (const type of [
      'contract.created',
      'payment_method.created',
      'payment_link.payment_success',
      'checkout.completed',
    ]) {
      expect(
        events.filter((each) => each === type),
        type,
      ).toHaveLength(1)
    }
    expect(events.filter((type) => /^(payment|charge)\./.test(type))).toEqual([])
  })

  it('takes nothing in the session and its receipt, which says when the first payment is due', async () => {
    const { payer, link, get, contracts, read } = await trial({
      success_url: 'https://shop.example/thanks',
      alt_key: 'club-7',
    })
    await payer.payByCard(CARDS.approve)
    const [contract] = await contracts()
    const [session] = (await get('/checkouts')).checkouts
    expect(session).toMatchObject({
      status: 'COMPLETED',
      amount: '0.00',
      attempts: [{ payment: null, status: 'SUCCESS' }],
    })
    const { result } = (await payer.current()).json.checkout
    const { account, payment_method } = await read()
    expect(result).toMatchObject({
      outcome: 'COMPLETED',
      amount: '0.00',
      reference: null,
      alt_key: 'club-7',
      transaction: null,
      method: { brand: 'visa', last4: '4242' },
      recurring: { amount: '12.50', trial_days: 14, next_due: contract.next_due },
      redirect: `https://shop.example/thanks?payment_link=${link}&status=COMPLETED&contract=${contract.id}&payment_method=${payment_method}&account=${account}`,
    })
    const { checkout_monitor } = await get('/checkout_monitor')
    expect(checkout_monitor.totals).toMatchObject({ completed: 1, amount: {} })
    // Other visitors learn that it has begun, and nothing about the payer.
    const other = (await openPayerClient(app, link)).checkout.result
    expect(other).toMatchObject({ outcome: 'COMPLETED', amount: '0.00', method: null })
    expect([other.redirect, other.account, other.recurring]).toEqual([null, null, undefined])
  })

  it('keeps the receipt as it was after the first payment', async () => {
    const { payer, charges } = await trial()
    await payer.payByCard(CARDS.approve)
    const before = (await payer.current()).json.checkout.result
    app.pass(14 * DAY_MS)
    await collect()
    expect(await charges()).toMatchObject([{ status: 'PAID' }])
    expect((await payer.current()).json.checkout.result).toEqual(before)
  })

  it('is charged for the first time after the free period, then at its rhythm', async () => {
    const { payer, charges, payments, contracts } = await trial({
      recurring: { ...TRIAL, count: 2 },
    })
    await payer.payByCard(CARDS.approve)
    app.pass(14 * DAY_MS - 1)
    await collect()
    expect(await charges()).toEqual([])
    app.pass(1)
    await collect()
    expect(await charges()).toMatchObject([{ status: 'PAID', amount: '12.50' }])
    app.pass(32 * DAY_MS)
    await collect()
    expect(await charges()).toMatchObject([{ status: 'PAID' }, { status: 'PAID' }])
    expect((await payments()).map(({ amount }) => amount)).toEqual(['12.50', '12.50'])
    expect(await contracts()).toMatchObject([{ status: 'ENDED', charges_paid: 2 }])
  })

  it('is never charged after the contract is cancelled in time', async () => {
    const { payer, merchant, contracts, charges } = await trial()
    await payer.payByCard(CARDS.approve)
    const [{ id }] = (await contracts()) as [Json]
    const { status } = await merchant.api(`/contracts/${id}`, { method: 'DELETE' })
    expect(status).toBeLessThan(300)
    app.pass(40 * DAY_MS)
    await collect()
    expect(await charges()).toEqual([])
  })

  it('stores the consent with amount, rhythm and free period, in the payer’s language', async () => {
    const { payer, link, contracts, get } = await trial({
      amount: null,
      recurring: { frequency: 'WEEK', interval: 2, count: 6, trial_days: 1 },
    })
    const french = await openPayerClient(app, link, { body: { language: 'fr' } })
    await french.payByCard(CARDS.approve, { amount: '9.00' })
    const [{ consent, payment_method, amount }] = (await contracts()) as [Json]
    expect(amount).toBe('9.00')
    expect(consent).toMatchObject({
      given: true,
      language: 'fr',
      at: new Date(app.now()).toISOString(),
      checkout: french.checkout.id,
    })
    expect(consent.text).toContain('9,00')
    expect(consent.text).toContain('toutes les 2 semaines')
    expect(consent.text).toMatch(/1 jour gratuit/)
    const saved = await get(`/payment_methods/${payment_method}`)
    expect(saved.payment_method.consent).toEqual(consent)
    expect(payer.checkout.strings['checkout.pay']).toBe('Start free trial')
  })

  it('counts the free period in days of the session’s time zone', async () => {
    const { payer, contracts } = await trial({
      timezone: 'Europe/Berlin',
      recurring: { frequency: 'YEAR', trial_days: 210 },
    })
    await payer.payByCard(CARDS.approve)
    const [{ timezone, next_due }] = (await contracts()) as [Json]
    // The clocks go back in October, and the time of day stays.
    expect(timezone).toBe('Europe/Berlin')
    expect(Date.parse(next_due) - app.now()).toBe(210 * DAY_MS + 3_600_000)
  })

  it('freezes the terms: another version of the options begins nothing', async () => {
    const { payer, merchant, link, contracts } = await trial()
    await merchant.api(`/payment_links/${link}`, {
      method: 'PUT',
      body: {
        mode: 'PATCH',
        payment_link: { options: { recurring: { ...TRIAL, trial_days: 7 } } },
      },
    })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('TERMS_CHANGED')
    expect(await contracts()).toEqual([])
  })

  it('keeps what the payer entered with the session, and for the account', async () => {
    const { payer, get, contracts } = await trial()
    const entered = { first_name: 'Ada', email: 'ada@example.com' }
    await payer.payByCard(CARDS.approve, { account: entered })
    expect((await get('/checkouts')).checkouts[0].payer).toMatchObject(entered)
    const [{ account }] = (await contracts()) as [Json]
    expect((await get(`/accounts/${account}`)).account).toMatchObject(entered)
  })
})

describe('a declined free trial', () => {
  it('makes no contract, and another card begins one', async () => {
    const { payer, read, contracts, get, outcome } = await trial()
    const { json } = await payer.payByCard(CARDS.insufficient)
    expect(json).toEqual({ outcome: 'DECLINED', message_id: 'errors.insufficient_funds' })
    expect(await contracts()).toEqual([])
    expect(await read()).toMatchObject({ status: 'ACTIVE', account: null, attempts: 1 })
    expect((await payer.current()).json.checkout).toMatchObject({
      status: 'OPEN',
      result: { outcome: 'DECLINED', amount: '0.00' },
    })
    expect(await outcome()).toBeUndefined()
    app.pass(1)
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await contracts()).toMatchObject([{ status: 'ACTIVE' }])
    const { attempts } = (await get('/checkouts?criteria=status%3DCOMPLETED')).checkouts[0]
    expect(attempts.map(({ status }: Json) => status)).toEqual(['DECLINE', 'SUCCESS'])
    const { totals, declines } = (await get('/checkout_monitor')).checkout_monitor
    expect(totals).toMatchObject({ declined: 1, completed: 1 })
    expect(declines).toEqual([{ code: 'INSUFFICIENT_FUNDS', count: 1 }])
  })

  it('is one that the processor refused before any bank was asked', async () => {
    const { payer, read } = await trial()
    stubProcessor(app, () => ({
      setup: async () => ({ status: 'ERROR' as const, message: 'out of order' }),
    }))
    expect((await payer.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'DECLINED',
      message_id: 'errors.processor_error',
    })
    expect((await read()).status).toBe('ACTIVE')
  })
})

describe('one press of the button', () => {
  it('begins one contract, also when it is sent twice at once and again later', async () => {
    const { payer, contracts } = await trial()
    const request = {
      attempt_key: randomUUID(),
      payment_method: { type: 'CARD', token: await cardToken(app, CARDS.approve) },
    }
    const answers = await Promise.all([payer.submit(request), payer.submit(request)])
    answers.push(await payer.submit(request))
    expect(answers.map(({ json }) => json.outcome)).toEqual(Array(3).fill('COMPLETED'))
    expect(await contracts()).toHaveLength(1)
    const other = {
      ...request,
      payment_method: { ...request.payment_method, type: 'DIRECT_DEBIT' },
    }
    expect(errorSummary(await payer.submit(other))[2]).toContain('attempt_key')
  })

  it('begins one contract between two payers and two sessions', async () => {
    const { payer, link, contracts } = await trial()
    const other = await openPayerClient(app, link)
    const answers = await Promise.all([
      payer.payByCard(CARDS.approve),
      other.payByCard(CARDS.mastercard),
    ])
    const outcomes = answers.map(({ json }) => json.outcome)
    expect(outcomes.filter((outcome) => outcome === 'COMPLETED')).toHaveLength(1)
    expect(['BUSY', 'GONE']).toContain(outcomes.find((outcome) => outcome !== 'COMPLETED'))
    expect(await contracts()).toHaveLength(1)
  })
})

describe('a set-up of unknown outcome', () => {
  it('is never a decline: the link waits, and the contract begins once it is known', async () => {
    const { payer, read, contracts, types, outcome, get } = await trial()
    const { json } = await payer.payByCard(CARDS.noAnswerTaken)
    expect(json).toEqual({ outcome: 'PENDING', message_id: 'status.checking' })
    expect(await read()).toMatchObject({ status: 'PAYMENT_PENDING', contract: null, payment: null })
    expect(await outcome()).toBe('CHECKING')
    const waiting = (await get('/checkouts?criteria=status%3DPENDING')).checkouts
    expect(waiting[0].attempts).toMatchObject([{ payment: null, status: 'UNRESOLVED' }])
    // Trying again neither begins another contract nor asks the processor again.
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('BUSY')
    await syncAfter(60_000)
    expect(await contracts()).toHaveLength(1)
    expect(await read()).toMatchObject({ status: 'PAYMENT_SUCCESS' })
    const linkEvents = (await types()).filter((type) => type.startsWith('payment_link.payment'))
    expect(linkEvents).toEqual(['payment_link.payment_pending', 'payment_link.payment_success'])
  })

  it('begins the free period when it is known, so that it is never shorter than agreed', async () => {
    const { payer, contracts } = await trial({ recurring: { frequency: 'DAY', trial_days: 1 } })
    await payer.payByCard(CARDS.noAnswerTaken)
    await syncAfter(3 * DAY_MS)
    const [{ next_due }] = (await contracts()) as [Json]
    expect(next_due).toBe(new Date(app.now() + DAY_MS).toISOString())
    await collect()
    expect(await contracts()).toMatchObject([{ charges_total: 0 }])
  })

  it('ends the contract without a charge when the free period would last beyond its end', async () => {
    const until = new Date(app.now() + 2 * DAY_MS).toISOString()
    const { payer, contracts, charges } = await trial({
      recurring: { frequency: 'DAY', trial_days: 1, until },
    })
    await payer.payByCard(CARDS.noAnswerTaken)
    await syncAfter(3 * DAY_MS)
    expect(await contracts()).toMatchObject([{ status: 'ENDED', next_due: null }])
    app.pass(9 * DAY_MS)
    await collect()
    expect(await charges()).toEqual([])
  })

  it('frees the link when it turns out to have failed', async () => {
    const { payer, read, contracts, types } = await trial()
    await payer.payByCard(CARDS.noAnswerNotTaken)
    expect((await read()).status).toBe('PAYMENT_PENDING')
    await syncAfter(60_000)
    expect((await read()).status).toBe('ACTIVE')
    expect(await types()).toContain('payment_link.payment_failed')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await contracts()).toHaveLength(1)
  })
})

describe('a confirmation at the bank', () => {
  it('begins the trial, and the first return goes on to the merchant', async () => {
    const { payer, link, read, contracts } = await trial({
      success_url: 'https://shop.example/ok',
      skip_receipt: true,
    })
    const { json } = await payer.payByCard(CARDS.challenge)
    expect(json).toMatchObject({ outcome: 'ACTION', action: { type: 'REDIRECT', in_frame: true } })
    expect(await read()).toMatchObject({ status: 'ACTIVE', contract: null })
    expect((await payer.current()).json.checkout).toMatchObject({
      status: 'SUBMITTED',
      result: { outcome: 'ACTION', amount: '0.00' },
    })
    const back = new URL(await completeChallenge(app, json.action.url, 'approve')).pathname
    const first = (await app.call(back)).headers.get('location')
    const [contract] = (await contracts()) as [Json]
    expect(first).toContain(`https://shop.example/ok?payment_link=${link}&status=COMPLETED`)
    expect(first).toContain(`&contract=${contract.id}&`)
    const again = (await app.call(back)).headers.get('location') as string
    expect(again).toContain(`/pay/${link}?ck=`)
    const page = await app.call(again.slice('http://shop.test'.length))
    expect(page.text).toContain('Your free trial has begun')
  })

  it('is declined at the bank, and the form shows the reason', async () => {
    const { payer, read } = await trial()
    const { json } = await payer.payByCard(CARDS.challenge)
    const location = (await returnFromBank(app, json.action.url, 'decline')).headers.get('location')
    const page = await app.call((location as string).slice('http://shop.test'.length))
    expect(page.text).toContain('"notice":"errors.authentication_failed"')
    expect((await read()).status).toBe('ACTIVE')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('is canceled when the payer leaves it for another card, and begins nothing later', async () => {
    const { payer, contracts, get } = await trial()
    const { json } = await payer.payByCard(CARDS.challenge)
    expect((await payer.payByCard(CARDS.mastercard)).json.outcome).toBe('COMPLETED')
    await completeChallenge(app, json.action.url, 'approve')
    await syncAfter(3_600_000)
    expect(await contracts()).toHaveLength(1)
    expect((await get('/payment_methods')).payment_methods).toMatchObject([
      { card: { last4: '4444' } },
    ])
  })

  it('that cannot be canceled leaves the link to others, and what it saves is forgotten', async () => {
    const { payer, read, contracts, get, merchant } = await trial()
    const { json } = await payer.payByCard(CARDS.challenge)
    const reference = 'sset_1'
    stubProcessor(app, () => ({
      cancel: async () => ({ status: 'ACTION' as const, reference, url: json.action.url }),
    }))
    expect((await payer.payByCard(CARDS.mastercard)).json.outcome).toBe('COMPLETED')
    await completeChallenge(app, json.action.url, 'approve')
    await syncAfter(60_000)
    expect(await contracts()).toHaveLength(1)
    expect((await get('/payment_methods')).payment_methods).toHaveLength(1)
    const forgotten = await deps.db.selectFrom('tokens_to_forget').selectAll().execute()
    const ours = forgotten.filter(({ instance_id }) => instance_id === merchant.instance.id)
    expect(ours).toHaveLength(1)
    const { totals } = (await get('/checkout_monitor')).checkout_monitor
    expect(totals).toMatchObject({ declined: 0, completed: 1 })
    expect((await read()).status).toBe('PAYMENT_SUCCESS')
  })

  it('ends when the payer does not come back, and frees the link', async () => {
    const { payer, read } = await trial()
    await payer.payByCard(CARDS.challenge)
    await syncAfter(10 * 60_000)
    const other = await openPayerClient(app, (await read()).id)
    expect((await other.payByCard(CARDS.approve)).json.outcome).toBe('BUSY')
    await syncAfter(6 * 60_000)
    expect((await other.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })
})

describe('a method of a free trial', () => {
  it('is new: only a charge would take the security code of a saved card', async () => {
    const merchant = await app.newMerchant()
    const { account, method } = await openPaymentsClient(app, merchant).storeCard()
    const link = await newLink(merchant, { amount: '3.00', account, recurring: TRIAL })
    const payer = await openPayerClient(app, link.id)
    expect(payer.checkout.saved_methods).toEqual([])
    const refused = await payer.submit({ payment_method: { id: method, csc: '123' } })
    expect(errorSummary(refused)[2]).toContain('payment_method.id')
    expect((await payer.payByCard(CARDS.mastercard)).json.outcome).toBe('COMPLETED')
    expect(await readLink(merchant, link.id, 'contract')).toMatchObject({
      account,
      contract: { account },
    })
  })

  it('is offered only where its processor can save it without a payment', async () => {
    const { capabilities } = deps.processors.builtIn.get('sandbox') as Json
    const methods = capabilities.methods.map((method: Json) => ({
      ...method,
      setup: method.type === 'DIRECT_DEBIT',
    }))
    stubCapabilities(app, { methods })
    const { payer } = await trial()
    expect(payer.checkout.methods.map(({ type }: Json) => type)).toEqual(['DIRECT_DEBIT'])
    expect(errorSummary(await payer.payByCard(CARDS.approve))[2]).toContain('payment_method.type')
  })
})

describe('the option trial_days', () => {
  const create = (options: object) =>
    app.merchant.api('/payment_links', {
      body: { payment_link: { options: { amount: '1.00', ...options } } },
    })

  it.each([
    [0, 'recurring.trial_days'],
    [731, 'recurring.trial_days'],
    [1.5, 'recurring.trial_days'],
    ['14', 'recurring.trial_days'],
  ])('is refused as %s', async (trial_days, message) => {
    const response = await create({ recurring: { ...TRIAL, trial_days } })
    const named = expect.stringContaining(`payment_link.options.${message}`)
    expect(errorSummary(response)).toEqual([400, 'INVALID_REQUEST', named])
  })

  it.each([1, 730])('is taken as %s', async (trial_days) => {
    expect((await create({ recurring: { ...TRIAL, trial_days } })).status).toBe(200)
  })

  it('is refused where the contract would end before the free period does', async () => {
    const until = new Date(app.now() + 14 * DAY_MS).toISOString()
    const response = await create({ recurring: { ...TRIAL, until } })
    expect(errorSummary(response)[2]).toBe(
      'payment_link.options.recurring.until must be later than the end of trial_days',
    )
  })

  it('is refused by name where no processor saves a method without a payment', async () => {
    const { capabilities } = deps.processors.builtIn.get('sandbox') as Json
    const methods = capabilities.methods.map((method: Json) => ({ ...method, setup: false }))
    stubCapabilities(app, { methods })
    const { account } = await openPaymentsClient(app, app.merchant).storeCard()
    for (const more of [{}, { account }]) {
      expect(errorSummary(await create({ recurring: TRIAL, ...more }))).toEqual([
        400,
        'INVALID_REQUEST',
        'payment_link.options.recurring.trial_days needs a payment method that can be saved without a payment, which no payment processor of this instance offers in EUR',
      ])
    }
    const deepLink = await app.merchant.api('/deep_links', {
      body: { deep_link: { action: 'PAY', options: { amount: '1.00', recurring: TRIAL } } },
    })
    expect(errorSummary(deepLink)[2]).toMatch(/^deep_link\.options\.recurring\.trial_days needs/)
  })

  it('is not taken by a payment of the merchant', async () => {
    const response = await openPaymentsClient(app).send({
      amount: '1.00',
      payment_method: { token: 'tok_1' },
      recurring: TRIAL,
    })
    expect(errorSummary(response)[2]).toContain('payment.recurring.trial_days')
  })
})

describe('a deep link with a free trial', () => {
  it('begins a contract for each payer, and counts each as a use', async () => {
    const merchant = await app.newMerchant()
    const options = { amount: '12.50', recurring: TRIAL }
    const { id, url } = await newDeepLink(merchant, options, { max_uses: 2 })
    const open = () => openPayerClientAt(app, new URL(url).pathname)
    const [first, second, third] = [await open(), await open(), await open()]
    expect((await first.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    app.pass(1)
    for (const payer of [first, second]) {
      expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    }
    expect((await third.payByCard(CARDS.approve)).json.outcome).toBe('GONE')
    const { uses, status, payment_links } = await readDeepLink(merchant, id)
    expect([uses, status, payment_links.length]).toEqual([2, 'EXHAUSTED', 2])
    const { contracts } = (await merchant.api('/contracts')).json
    expect(new Set(contracts.map(({ payment_link }: Json) => payment_link)).size).toBe(2)
  })
})
