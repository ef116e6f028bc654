import { describe, expect, it } from 'vitest'
import { collectDue } from '../payments/collect-due-charges.ts'
import { beforeNextTransaction } from '../../test/before-next-transaction.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  DAY_MS,
  openPaymentsClient,
  errorSummary,
  chargedDuring,
} from '../../test/payments-client.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'

/** Removal of a method while a payment is about to charge it. */

const { app, deps, api, client, saveCard } = await startPaymentsApp()
const { inDays, putCharge, putContract } = testCharges(app)

/** Removes it after it was chosen, and before anything is stored of what it is to pay. */
const removeMeanwhile = (method: string) =>
  beforeNextTransaction(app, async () => {
    const removed = await api(`/payment_methods/${method}`, { method: 'DELETE' })
    expect(removed.status).toBe(204)
  })

describe('a stored method that was removed in the last moment', () => {
  it.each([
    ['now', undefined],
    ['later', 1],
  ])('is not charged by a merchant who takes a payment due %s', async (_, days) => {
    const { account, method } = await client.storeCard()
    const due = days === undefined ? {} : { due: inDays(days) }
    const wasRemoved = removeMeanwhile(method)
    const money = await chargedDuring(app, async () => {
      const payment = { amount: '5.00', currency: 'EUR', account, payment_method: method, ...due }
      expect(errorSummary(await client.send(payment))).toEqual(
        refusal('INVALID_REQUEST', 'payment.payment_method has been removed'),
      )
    })
    expect([wasRemoved(), money]).toEqual([true, []])
    // The one with which it was stored, and no other.
    expect((await api(`/payments?criteria=payment_method=${method}`)).json.meta.total).toBe(1)
  })

  it('is not charged by a payer on a link', async () => {
    const merchant = await app.newMerchant()
    const shop = openPaymentsClient(app, merchant)
    const { account, method } = await shop.storeCard()
    const link = await newLink(merchant, { amount: '6.00', account })
    const payer = await openPayerClient(app, link.id)
    const wasRemoved = beforeNextTransaction(app, () =>
      merchant.api(`/payment_methods/${method}`, { method: 'DELETE' }),
    )
    const money = await chargedDuring(app, async () => {
      const response = await payer.submit({ payment_method: { id: method, csc: '123' } })
      expect(errorSummary(response)).toEqual(
        refusal('INVALID_REQUEST', 'payment_method.id is not a saved method of this checkout'),
      )
    })
    expect([wasRemoved(), money]).toEqual([true, []])
    // Nothing of it is left: the payer can pay with another one.
    expect((await readLink(merchant, link.id)).status).toBe('ACTIVE')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })
})

describe('a stored method from which something is still to be collected', () => {
  const remove = async (method: string) =>
    errorSummary(await api(`/payment_methods/${method}`, { method: 'DELETE' }))
  const status = async (method: string) =>
    (await api(`/payment_methods/${method}`)).json.payment_method.status
  const changeContract = async (contract: string, members: Record<string, unknown>) => {
    const response = await putContract(contract, members)
    expect(response.status, response.text).toBe(200)
  }
  const subscribe = async (method: string) =>
    (
      await client.pay(undefined, {
        payment_method: method,
        recurring: { frequency: 'MONTH' },
      })
    ).contract as string
  const inUse = (contract: string) =>
    refusal(
      'INVALID_STATE',
      `Payment method is charged for contract ${contract}; give the contract another payment_method or cancel it`,
    )

  it('stays while its contract is active or paused, and can be removed once that has another', async () => {
    const { account, method } = await client.storeCard()
    const contract = await subscribe(method)
    expect(await remove(method)).toEqual(inUse(contract))
    await changeContract(contract, { status: 'PAUSED' })
    expect(await remove(method)).toEqual(inUse(contract))
    await changeContract(contract, { status: 'ACTIVE' })
    expect([await status(method), await remove(method)]).toEqual(['ACTIVE', inUse(contract)])
    const other = await saveCard(account)
    await changeContract(contract, { payment_method: other })
    expect((await remove(method))[0]).toBe(204)
    expect(await remove(other)).toEqual(inUse(contract))
    const { json } = await api(`/contracts/${contract}?expand=payment_method`)
    expect(json.contract.payment_method).toMatchObject({ id: other, status: 'ACTIVE' })
    await api(`/contracts/${contract}`, { method: 'DELETE' })
    expect((await remove(other))[0]).toBe(204)
  })

  it('stays while a payment is scheduled, and can be removed once its charge is written off', async () => {
    const { method } = await client.storeCard()
    const { charge } = await client.pay(undefined, {
      payment_method: method,
      due: inDays(1),
    })
    expect(await remove(method)).toEqual(
      refusal(
        'INVALID_STATE',
        `Payment method will be charged for charge ${charge}; write the charge off or remove its due`,
      ),
    )
    expect((await putCharge(charge, { status: 'WRITTENOFF' })).status).toBe(200)
    expect((await remove(method))[0]).toBe(204)
    expect(await status(method)).toBe('REMOVED')
  })

  it('is either removed or given to a contract, however close the two requests come', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { method } = await client.storeCard()
      const sent = { amount: '5.00', currency: 'EUR', payment_method: method, due: inDays(1) }
      const [removal, payment] = await Promise.all([
        api(`/payment_methods/${method}`, { method: 'DELETE' }),
        client.send({ ...sent, recurring: { frequency: 'MONTH' } }),
      ])
      expect([removal.status, payment.status], removal.text + payment.text).toEqual(
        removal.status === 204 ? [204, 400] : [400, 200],
      )
      const { contract } = payment.json.payment ?? {}
      if (contract) await api(`/contracts/${contract}`, { method: 'DELETE' })
    }
  })
})

it('a method that was replaced in the last moment is not charged when something falls due', async () => {
  const { account, method } = await client.storeCard()
  const other = await saveCard(account)
  const due = inDays(1)
  const announced = await client.pay(undefined, {
    account,
    payment_method: method,
    due,
    recurring: { frequency: 'MONTH' },
  })
  app.pass(DAY_MS)
  const wasReplaced = beforeNextTransaction(app, async () => {
    const put = await putContract(announced.contract, { payment_method: other })
    expect(put.status, put.text).toBe(200)
  })
  await collectDue(deps)
  expect(wasReplaced()).toBe(true)
  expect(await client.read(announced.id)).toMatchObject({
    status: 'SUCCESS',
    payment_method: other,
  })
})
