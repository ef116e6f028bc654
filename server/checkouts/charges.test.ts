import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import {
  cardToken,
  completeChallenge,
  newLink,
  openPayerClient,
  readLink,
  returnFromBank,
} from '../../test/payer-client.ts'
import { type Json, reconcileAfter } from '../../test/payments-client.ts'
import { unendable } from '../../test/unendable-processor.ts'
import type { Processor } from '../processors/port.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })

/** A merchant with a link that pays two charges, of 20.00 and 5.50 EUR. */
async function invoice(more: Record<string, unknown> = {}) {
  const merchant = await app.newMerchant()
  const { newAccount, newCharge } = testCharges(app, merchant)
  const account = await newAccount()
  const first = await newCharge({ accountId: account, altKey: 'rent', description: 'Rent of May' })
  const second = await newCharge({ accountId: account, amount: 550, altKey: 'water' })
  const link = await newLink(merchant, { account, charges: [first.id, 'WATER'], ...more })
  const charges = [first.id, second.id]
  const api = async (path: string, body?: unknown, method?: string): Promise<Json> =>
    (await merchant.api(path, body === undefined ? {} : { body, ...(method && { method }) })).json
  return {
    merchant,
    account,
    link: link.id as string,
    charges,
    open: () => openPayerClient(app, link.id),
    read: () => readLink(merchant, link.id),
    change: (id: string, charge: unknown) => api(`/charges/${id}`, { charge }, 'PUT'),
    states: () =>
      Promise.all(
        charges.map(async (id) => {
          const { charge } = await api(`/charges/${id}`)
          return `${charge.status} ${charge.paid_amount} ${charge.refunded_amount}`
        }),
      ),
    payments: async (): Promise<Json[]> => (await api('/payments?order=created')).payments,
    payByApi: async (parts: { charge: string; amount: string }[], amount: string) =>
      (
        await merchant.api('/payments', {
          body: {
            payment: {
              amount,
              currency: 'EUR',
              account,
              parts,
              payment_method: { token: await cardToken(app, CARDS.approve) },
            },
          },
        })
      ).json.payment,
  }
}

describe('a link that pays charges', () => {
  it('lists them with their sum, and stores their ids', async () => {
    const { open, read, charges } = await invoice()
    const { checkout } = await open()
    expect(checkout.terms).toMatchObject({
      amount: '25.50',
      amount_editable: false,
      currency: 'EUR',
      charges: [
        { name: 'Rent of May', due: null, amount: '20.00' },
        { name: 'water', due: null, amount: '5.50' },
      ],
    })
    expect((await read()).options.charges).toEqual(charges)
  })

  it('pays them as the parts of one payment', async () => {
    const { open, read, charges, states, payments, merchant, link } = await invoice({
      success_url: 'https://shop.example/thanks',
    })
    const payer = await open()
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await states()).toEqual(['PAID 20.00 0.00', 'PAID 5.50 0.00'])
    const [payment] = await payments()
    expect(payment).toMatchObject({ amount: '25.50', payment_link: link })
    expect(payment.parts).toEqual([
      { charge: charges[0], amount: '20.00' },
      { charge: charges[1], amount: '5.50' },
    ])
    expect(await read()).toMatchObject({ status: 'PAYMENT_SUCCESS', charge: charges[0] })
    const { result } = (await payer.current()).json.checkout
    expect(result.redirect).toContain(`&charge=${charges[0]}&`)
    expect(result.charges.map(({ amount }: Json) => amount)).toEqual(['20.00', '5.50'])
    const { charge } = (await merchant.api(`/charges/${charges[1]}`)).json
    expect(charge.payment_link).toBe(link)
  })

  it('shows what was paid only to the payer', async () => {
    const { open } = await invoice()
    await (await open()).payByCard(CARDS.approve)
    expect((await open()).checkout.result).not.toHaveProperty('charges')
  })

  it('releases them when the payment is declined, and can be paid then', async () => {
    const { open, states, read } = await invoice()
    const payer = await open()
    expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    expect(await states()).toEqual(['ACTIVE 0.00 0.00', 'ACTIVE 0.00 0.00'])
    expect((await read()).charge).toBeNull()
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await states()).toEqual(['PAID 20.00 0.00', 'PAID 5.50 0.00'])
  })

  it('names the first charge while the payment is pending', async () => {
    const { open, read, charges, states } = await invoice()
    expect((await (await open()).payByCard(CARDS.pendingSuccess)).json.outcome).toBe('PENDING')
    expect(await read()).toMatchObject({ status: 'PAYMENT_PENDING', charge: charges[0] })
    await reconcileAfter(app, 60_000)
    expect(await states()).toEqual(['PAID 20.00 0.00', 'PAID 5.50 0.00'])
  })

  it('charges what is left when a part was paid, once the payer has seen it', async () => {
    const { open, payByApi, charges, states } = await invoice()
    const payer = await open()
    await payByApi([{ charge: charges[0] as string, amount: '15.00' }], '15.00')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('TERMS_CHANGED')
    expect(await states()).toEqual(['ACTIVE 15.00 0.00', 'ACTIVE 0.00 0.00'])
    const { terms } = (await payer.current()).json.checkout
    expect(terms.amount).toBe('10.50')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await states()).toEqual(['PAID 20.00 0.00', 'PAID 5.50 0.00'])
  })

  it('leaves out a charge that was written off', async () => {
    const { open, change, charges, states, payments } = await invoice()
    const payer = await open()
    await change(charges[0] as string, { status: 'WRITTENOFF' })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('TERMS_CHANGED')
    expect((await payer.current()).json.checkout.terms.charges).toHaveLength(1)
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await states()).toEqual(['WRITTENOFF 0.00 0.00', 'PAID 5.50 0.00'])
    expect((await payments())[0].amount).toBe('5.50')
  })

  it('takes only the sum that the page of the submit shows', async () => {
    const { open, change, charges, states } = await invoice()
    const payer = await open()
    await change(charges[0] as string, { amount: '30.00' })
    // Another page of the same session has shown the new sum.
    expect((await payer.current()).json.checkout.terms.amount).toBe('35.50')
    const early = await payer.payByCard(CARDS.approve, { amount: '25.50' })
    expect(early.json.outcome).toBe('TERMS_CHANGED')
    const late = await payer.payByCard(CARDS.approve, { amount: '35.50' })
    expect(late.json.outcome).toBe('COMPLETED')
    expect(await states()).toEqual(['PAID 30.00 0.00', 'PAID 5.50 0.00'])
  })

  it('has nothing to pay when all is settled, and stays ACTIVE', async () => {
    const { open, read, change, charges, payments } = await invoice()
    const payer = await open()
    for (const id of charges) await change(id, { status: 'WRITTENOFF' })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('TERMS_CHANGED')
    for (const { checkout } of [(await payer.current()).json, await open()]) {
      expect(checkout).toMatchObject({ status: 'OPEN', result: null })
      expect(checkout.terms).toMatchObject({ amount: '0.00', charges: [] })
    }
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('TERMS_CHANGED')
    expect((await read()).status).toBe('ACTIVE')
    expect(await payments()).toEqual([])
    await change(charges[1] as string, { status: 'ACTIVE' })
    expect((await payer.current()).json.checkout.terms.amount).toBe('5.50')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('is busy while another link pays the same charges', async () => {
    const { account, charges, open, merchant, states } = await invoice()
    const other = await newLink(merchant, { account, charges })
    const elsewhere = await openPayerClient(app, other.id)
    const { json } = await elsewhere.payByCard(CARDS.challenge)
    const payer = await open()
    expect(payer.checkout.result.outcome).toBe('BUSY')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('TERMS_CHANGED')
    await returnFromBank(app, json.action.url)
    expect((await payer.current()).json.checkout).toMatchObject({
      result: null,
      terms: { charges: [] },
    })
    expect(await states()).toEqual(['PAID 20.00 0.00', 'PAID 5.50 0.00'])
  })

  it('keeps its other options editable after its charges were paid', async () => {
    const { merchant, link, payByApi, charges, account } = await invoice()
    await payByApi([{ charge: charges[0] as string, amount: '20.00' }], '20.00')
    const edit = (options: unknown, mode = 'PATCH') =>
      merchant.api(`/payment_links/${link}`, {
        method: 'PUT',
        body: { mode, payment_link: { options } },
      })
    expect((await edit({ name: 'Rent' })).json.payment_link.options.name).toBe('Rent')
    expect((await edit({ account, charges }, 'REPLACE')).status).toBe(200)
    expect((await edit({ charges: [charges[0]] })).json.error.message).toContain('is PAID')
  })
})

describe('a left payment of charges that its bank approves later', () => {
  beforeAll(() => {
    const { builtIn } = app.checkstand.deps.processors
    builtIn.set('sandbox', unendable(builtIn.get('sandbox') as Processor))
  })
  const leave = async () => {
    const made = await invoice()
    const payer = await made.open()
    const { json } = await payer.payByCard(CARDS.challenge)
    app.pass(1)
    return { ...made, payer, bank: json.action.url as string }
  }

  it('is refunded when the charges were paid meanwhile, which stay paid', async () => {
    const { payer, bank, states, payments } = await leave()
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, 120_000)
    await reconcileAfter(app, 120_000)
    expect(await states()).toEqual(['PAID 20.00 0.00', 'PAID 5.50 0.00'])
    const [left, paid] = await payments()
    expect(left).toMatchObject({ surplus: true, refunded_amount: '25.50', parts: [] })
    expect(paid).toMatchObject({ surplus: false, refunded_amount: '0.00' })
  })

  it('is refunded when a charge was written off meanwhile', async () => {
    const { payer, bank, states, payments, change, charges, read } = await leave()
    expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    await change(charges[0] as string, { status: 'WRITTENOFF' })
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, 120_000)
    await reconcileAfter(app, 120_000)
    expect(await states()).toEqual(['WRITTENOFF 0.00 0.00', 'ACTIVE 0.00 0.00'])
    expect((await payments())[0]).toMatchObject({ surplus: true, refunded_amount: '25.50' })
    expect((await read()).status).toBe('ACTIVE')
  })

  it('pays the charges when they are still due', async () => {
    const { payer, bank, states, read, charges } = await leave()
    expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    await completeChallenge(app, bank, 'approve')
    await reconcileAfter(app, 120_000)
    expect(await states()).toEqual(['PAID 20.00 0.00', 'PAID 5.50 0.00'])
    expect(await read()).toMatchObject({ status: 'PAYMENT_SUCCESS', charge: charges[0] })
  })

  it('changes no charge when the bank declines it', async () => {
    const { payer, bank, states, read } = await leave()
    expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    await completeChallenge(app, bank, 'decline')
    await reconcileAfter(app, 120_000)
    expect(await states()).toEqual(['ACTIVE 0.00 0.00', 'ACTIVE 0.00 0.00'])
    expect((await read()).status).toBe('ACTIVE')
  })
})
