import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { createDueCharges } from './recurring-charges.ts'
import { testCharges } from '../../test/charges.ts'

const app = await startTestApp()
const { api } = app.merchant
const { newCharge, newRunning, hold, settle, ...test } = testCharges(app)
const { readCharge, putCharge, inDays } = test

describe('reading a charge', () => {
  it('returns every member, null where there is no value', async () => {
    const { id, created } = await newCharge({ amount: 1234, currency: 'BHD' })
    expect(await readCharge(id)).toEqual({
      id,
      alt_key: null,
      account: null,
      contract: null,
      legal_entity: null,
      payment_link: null,
      amount: '1.234',
      currency: 'BHD',
      paid_amount: '0.000',
      refunded_amount: '0.000',
      outstanding_amount: '1.234',
      due: null,
      recurring: 'N',
      status: 'ACTIVE',
      description: null,
      payment_method: null,
      last_payment: null,
      attempts: 0,
      next_attempt: null,
      retry_advice: null,
      created_session: null,
      updated_session: null,
      created,
      updated: created,
      v: 1,
    })
    expect(id).toMatch(/^cg_[0-9]+_[0-9a-z]+$/)
  })

  it.each([
    ['JPY', 500, '500'],
    ['EUR', 500, '5.00'],
    ['BHD', 500, '0.500'],
  ])('writes amounts with the decimals of %s', async (currency, amount, text) => {
    const { id } = await newCharge({ currency, amount })
    expect(await readCharge(id)).toMatchObject({ amount: text, outstanding_amount: text })
  })

  it('expands its contract, account and sessions', async () => {
    const contract = await newRunning({ altKey: 'expand me' })
    await createDueCharges(test.deps)
    const [charge] = await test.chargesOf(contract.id)
    const expand = 'contract.payment_method,account,created_session'
    const { json } = await api(`/charges/${charge?.id}?expand=${expand}`)
    expect(json.charge).toMatchObject({
      recurring: 'Y',
      contract: { id: contract.id, payment_method: { id: contract.payment_method_id } },
      account: { id: contract.account_id },
      created_session: { type: 'SYSTEM' },
      payment_method: contract.payment_method_id,
    })
    const { json: list } = await api(`/charges?criteria=contract=${contract.id}&expand=contract`)
    expect(list.charges[0].contract).toMatchObject({
      id: contract.id,
      account: contract.account_id,
    })
  })

  it('refuses to expand other members', async () => {
    const { id } = await newCharge()
    for (const path of [`/charges/${id}?expand=last_payment`, '/charges?expand=due']) {
      const { status, json } = await api(path)
      expect([status, json.error.message.slice(0, 13)]).toEqual([400, 'Cannot expand'])
    }
  })
})

describe('finding a charge', () => {
  it('by alt_key returns the newest, in any case and Unicode normalization', async () => {
    const first = await newCharge({ altKey: 'Caf\u00e9 1/2' })
    app.pass(1000)
    const second = await newCharge({ altKey: 'CAFE\u0301 1/2' })
    for (const key of ['caf\u00e9 1/2', 'CAFE\u0301 1/2']) {
      expect((await readCharge(encodeURIComponent(key))).id).toBe(second.id)
    }
    expect((await readCharge(first.id)).alt_key).toBe('Caf\u00e9 1/2')
    const { json } = await putCharge(encodeURIComponent('CAF\u00c9 1/2'), { amount: '1' })
    expect(json.charge).toMatchObject({ id: second.id, alt_key: 'CAFE\u0301 1/2', amount: '1.00' })
  })

  it('returns 404 for an unknown charge and for one of another instance', async () => {
    const charge = await newCharge({ altKey: 'mine' })
    const other = await app.newMerchant()
    const calls = ['cg_1_a', 'nobody', '%00', 'acc_1_a'].map((named) => ({ as: api, named }))
    for (const { as, named } of [
      ...calls,
      { as: other.api, named: charge.id },
      { as: other.api, named: 'mine' },
    ]) {
      for (const call of [{}, { method: 'PUT', body: { charge: { amount: '1' } } }]) {
        const { status, json } = await as(`/charges/${named}`, call)
        const error = { type: 'NOT_FOUND', message: 'Charge not found' }
        expect([status, json.error]).toEqual([404, error])
      }
    }
  })

  it('has no route that creates or deletes', async () => {
    expect((await api('/charges', { body: { charge: {} } })).status).toBe(405)
    expect((await api('/charges/cg_1_a', { method: 'DELETE' })).status).toBe(405)
  })
})

describe('a list of charges', async () => {
  const merchant = await app.newMerchant()
  const foreign = testCharges(app, merchant)
  const names = new Map<string, string>()
  const account = await foreign.newAccount()
  const make = async (name: string, from: Parameters<typeof newCharge>[0]) => {
    app.pass(1000)
    const charge = await foreign.newCharge({ altKey: name, ...from })
    names.set(charge.id, name)
    return charge
  }
  // The amounts sort one way as numbers, another as text, and a third in minor units.
  await make('a', { amount: 900, currency: 'EUR', due: inDays(3) })
  const b = await make('b', { amount: 1000, currency: 'EUR', due: inDays(1), accountId: account })
  await make('c', { amount: 100, currency: 'JPY' })
  const d = await make('d', { amount: 5000, currency: 'BHD', due: inDays(2) })
  await foreign.hold(b, 950)
  await foreign.settle(b, 950, 'PAID')
  await foreign.putCharge(d.id, { status: 'WRITTENOFF' })
  await newCharge({ altKey: 'foreign' })

  const listed = async (query: Record<string, string>): Promise<string> => {
    const response = await merchant.api(`/charges?${new URLSearchParams(query).toString()}`)
    expect(response.status, response.text).toBe(200)
    return response.json.charges.map(({ id }: { id: string }) => names.get(id)).join('')
  }

  it('is newest first, with the total, and has only charges of the instance', async () => {
    const { json } = await merchant.api('/charges')
    expect(json.meta).toEqual({ limit: 20, offset: 0, total: 4 })
    expect(await listed({})).toBe('dcba')
  })

  it.each([
    ['outstanding_amount<10', 'dba'],
    ['outstanding_amount>=9.00', 'ca'],
    ['outstanding_amount=0.5', 'b'],
    ['outstanding_amount=9', 'a'],
    ['outstanding_amount<>5;9', 'da'],
    ['status=writtenoff', 'd'],
    ['status!=ACTIVE', 'd'],
    ['due!', 'c'],
    ['due!!,status=ACTIVE', 'ba'],
    ['recurring=N', 'dcba'],
    ['recurring=Y', ''],
    ['alt_key~=A', 'a'],
    ['account!!', 'b'],
    ['currency=eur', 'ba'],
    ['contract!', 'dcba'],
    ['alt_key=foreign', ''],
    [`account=${account}`, 'b'],
    [`id=${d.id};${b.id}`, 'db'],
  ])('with %s', async (criteria, found) => {
    expect(await listed({ criteria })).toBe(found)
  })

  it('can be ordered by outstanding amount and by due time', async () => {
    expect(await listed({ order: 'outstanding_amount' })).toBe('bdac')
    expect(await listed({ order: 'outstanding_amount:desc' })).toBe('cadb')
    expect(await listed({ order: 'due' })).toBe('bdac')
    expect(await listed({ order: 'due:desc' })).toBe('adbc')
    expect(await listed({ order: 'status,created', limit: '2', offset: '1' })).toBe('bc')
  })

  it('filters by the largest possible amounts', async () => {
    const huge = await foreign.newCharge({ amount: 99_999_999_999_999, currency: 'EUR' })
    names.set(huge.id, 'h')
    expect(await listed({ criteria: 'outstanding_amount>900000000000' })).toBe('h')
    expect(await listed({ order: 'outstanding_amount:desc', limit: '1' })).toBe('h')
  })

  it.each([
    ['criteria=amount=1', 'Unknown criteria field amount'],
    ['criteria=outstanding_amount~=1', 'criteria'],
    ['criteria=status=OPEN', 'criteria'],
    ['criteria=recurring=yes', 'criteria'],
    ['order=paid_amount', 'Unknown order field paid_amount'],
  ])('refuses %s', async (query, message) => {
    const { status, json } = await merchant.api(`/charges?${query}`)
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })
})

describe('a payment of a charge', () => {
  it('changes its amounts and records charge.updated', async () => {
    const charge = await newCharge()
    await hold(charge, 1500)
    expect(await readCharge(charge.id)).toMatchObject({ outstanding_amount: '20.00', v: 1 })
    await settle(charge, 1500, 'PAID')
    const paid = await readCharge(charge.id)
    expect(paid).toMatchObject({
      paid_amount: '15.00',
      outstanding_amount: '5.00',
      status: 'ACTIVE',
      last_payment: 'pay_1_a',
      v: 2,
    })
    expect((await test.eventsOf(charge.id)).at(-1)).toEqual({
      type: 'charge.updated',
      record: paid,
    })
  })
})
