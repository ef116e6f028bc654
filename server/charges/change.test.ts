import { describe, expect, it } from 'vitest'
import type { ChargeRow } from '../db/tables/charges.ts'
import { startTestApp } from '../../test/app.ts'
import { createDueCharges } from './recurring-charges.ts'
import { testCharges } from '../../test/charges.ts'

const app = await startTestApp()
const { newAccount, newMethod, newCharge, newRunning, ...test } = testCharges(app)
const { inDays, hold, settle, putCharge, readCharge, chargeRow, eventsOf } = test
const account = await newAccount()
const method = await newMethod(account)

const stored = { accountId: account, paymentMethodId: method }

/** A charge over 20.00 EUR in a state that it has come to in the ordinary way. */
async function chargeIn(
  status: 'ACTIVE' | 'WRITTENOFF' | 'PAID' | 'CANCELLED',
  from: Parameters<typeof newCharge>[0] = {},
): Promise<ChargeRow> {
  if (status === 'CANCELLED') {
    const contract = await newRunning()
    await createDueCharges(test.deps)
    await app.merchant.api(`/contracts/${contract.id}`, { method: 'DELETE' })
    const [charge] = await test.chargesOf(contract.id)
    return charge as ChargeRow
  }
  const charge = await newCharge(from)
  if (status === 'WRITTENOFF') await putCharge(charge.id, { status: 'WRITTENOFF' })
  if (status === 'PAID') {
    await hold(charge, charge.amount)
    await settle(charge, charge.amount, 'PAID')
  }
  return chargeRow(charge.id)
}

/** A charge of which a part is paid, in minor units. */
async function paidInPart(paid: number, from: Parameters<typeof newCharge>[0] = {}) {
  const charge = await newCharge(from)
  await hold(charge, paid)
  await settle(charge, paid, 'PAID')
  return chargeRow(charge.id)
}

describe('members that can be changed, by status', () => {
  it.each([
    ['ACTIVE', { status: 'WRITTENOFF' }, { status: 'WRITTENOFF' }, 'charge.writtenoff'],
    ['ACTIVE', { amount: '30' }, { amount: '30.00', status: 'ACTIVE' }, 'charge.updated'],
    ['ACTIVE', { amount: '0.00' }, { amount: '0.00', status: 'PAID' }, 'charge.paid'],
    [
      'ACTIVE',
      { due: '2031-01-01T00:00:00Z' },
      { due: '2031-01-01T00:00:00.000Z' },
      'charge.updated',
    ],
    ['ACTIVE', { status: 'ACTIVE', amount: '0' }, { status: 'PAID' }, 'charge.paid'],
    ['WRITTENOFF', { status: 'ACTIVE' }, { status: 'ACTIVE' }, 'charge.reactivated'],
    ['WRITTENOFF', { amount: '30' }, { amount: '30.00', status: 'WRITTENOFF' }, 'charge.updated'],
    ['WRITTENOFF', { amount: '0' }, { status: 'PAID' }, 'charge.paid'],
    ['WRITTENOFF', { due: '2029-01-01T00:00:00Z' }, { status: 'WRITTENOFF' }, 'charge.updated'],
    ['PAID', { amount: '30' }, { amount: '30.00', status: 'ACTIVE' }, 'charge.updated'],
    ['PAID', { amount: '30', status: 'ACTIVE' }, { status: 'ACTIVE' }, 'charge.updated'],
    ['PAID', { due: '2029-01-01T00:00:00Z' }, { status: 'PAID' }, 'charge.updated'],
  ] as const)('%s takes %j', async (status, change, expected, event) => {
    const charge = await chargeIn(status)
    app.pass(1000)
    const { status: code, json, text } = await putCharge(charge.id, change)
    expect(code, text).toBe(200)
    expect(json.charge).toMatchObject({ ...expected, v: charge.v + 1 })
    expect(Date.parse(json.charge.updated)).toBe(app.now())
    expect(await readCharge(charge.id)).toEqual(json.charge)
    expect((await eventsOf(charge.id)).at(-1)).toEqual({ type: event, record: json.charge })
  })

  it.each([
    ['PAID', { status: 'WRITTENOFF' }, 'Charge is paid and cannot be written off'],
    ['PAID', { status: 'WRITTENOFF', amount: '30' }, 'cannot be written off'],
    ['PAID', { status: 'ACTIVE' }, 'only a higher amount makes it active again'],
    ['PAID', { status: 'ACTIVE', amount: '20.00' }, 'only a higher amount'],
    ['CANCELLED', { status: 'ACTIVE' }, 'Charge is cancelled'],
    ['CANCELLED', { amount: '30' }, 'Charge is cancelled'],
    ['CANCELLED', { due: null }, 'Charge is cancelled'],
  ] as const)('%s refuses %j', async (status, change, message) => {
    const charge = await chargeIn(status)
    const { status: code, json } = await putCharge(charge.id, change)
    expect([code, json.error.type]).toEqual([400, 'INVALID_STATE'])
    expect(json.error.message).toContain(message)
    expect(await chargeRow(charge.id)).toEqual(charge)
  })

  it.each([
    [{ status: 'PAID' }, 'charge.status must be'],
    [{ status: 'CANCELLED' }, 'charge.status must be'],
    [{ status: null }, 'charge.status must be ACTIVE or WRITTENOFF'],
    [{ amount: null }, 'charge.amount must not be null'],
    [{ amount: 20 }, 'charge.amount must be a string'],
    [{ amount: '-1' }, 'charge.amount must be a decimal amount'],
    [{ amount: `1.${'0'.repeat(31)}` }, 'charge.amount must be at most 32 characters'],
    [{ amount: '1e3' }, 'charge.amount must be a decimal amount'],
    [{ amount: '10.505' }, 'charge.amount has too many decimal places for EUR'],
    [{ due: '2030-01-01' }, 'charge.due must be an RFC 3339 date-time'],
    [{ due: '2030-02-30T00:00:00Z' }, 'charge.due must be an RFC 3339 date-time'],
    [{ description: 'x' }, 'Unknown field charge.description'],
  ])('refuses %j', async (change, message) => {
    const charge = await newCharge()
    const { status, json } = await putCharge(charge.id, change)
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })

  it('requires `charge` in the body and none of its members', async () => {
    const charge = await newCharge()
    const bare = await app.merchant.api(`/charges/${charge.id}`, { method: 'PUT', body: {} })
    expect([bare.status, bare.json.error.message]).toEqual([400, 'charge is required'])
    expect((await putCharge(charge.id, {})).json.charge.v).toBe(1)
  })
})

describe('a change that changes nothing', () => {
  it.each([
    ['ACTIVE', {}],
    ['ACTIVE', { status: 'ACTIVE' }],
    ['ACTIVE', { amount: '20', due: '2030-05-01T14:00:00.000+02:00', status: 'ACTIVE' }],
    ['WRITTENOFF', { status: 'WRITTENOFF' }],
    ['PAID', { amount: '20.00' }],
    ['CANCELLED', {}],
  ] as const)('leaves %s as it is: %j', async (status, change) => {
    const charge = await chargeIn(status, { ...stored, due: '2030-05-01T12:00:00.000Z' })
    const before = [await readCharge(charge.id), await eventsOf(charge.id)]
    app.pass(1000)
    expect((await putCharge(charge.id, change)).status).toBe(200)
    expect([await readCharge(charge.id), await eventsOf(charge.id)]).toEqual(before)
  })
})

describe('the amount of a charge', () => {
  it.each([
    ['EUR', 2000, 1050, '10.49', 'must be at least the amount already paid (10.50 EUR)'],
    ['JPY', 2000, 500, '499', 'must be at least the amount already paid (500 JPY)'],
    ['BHD', 20_000, 1234, '1.233', 'must be at least the amount already paid (1.234 BHD)'],
    ['JPY', 2000, 500, '600.5', 'has too many decimal places for JPY'],
    ['BHD', 20_000, 1234, '1.2345', 'has too many decimal places for BHD'],
    ['EUR', 2000, 1, '0.00', 'must be at least the amount already paid (0.01 EUR)'],
  ])(
    'in %s: %i of which %i is paid does not become %s',
    async (currency, amount, paid, to, why) => {
      const charge = await paidInPart(paid, { currency, amount })
      const { status, json } = await putCharge(charge.id, { amount: to })
      expect([status, json.error]).toEqual([
        400,
        { type: 'INVALID_REQUEST', message: `charge.amount ${why}` },
      ])
    },
  )

  it.each([
    ['EUR', 2000, 1050, '10.50', ['10.50', '10.50', '0.00']],
    ['JPY', 2000, 500, '500.00', ['500', '500', '0']],
    ['BHD', 20_000, 1234, '1.2340', ['1.234', '1.234', '0.000']],
  ])(
    'in %s: a charge of %i with %i paid becomes PAID at %s',
    async (currency, amount, paid, to, texts) => {
      const charge = await paidInPart(paid, { currency, amount })
      const { json } = await putCharge(charge.id, { amount: to })
      const { status, amount: now, paid_amount, outstanding_amount } = json.charge
      expect([status, now, paid_amount, outstanding_amount]).toEqual(['PAID', ...texts])
    },
  )

  it('has at most twelve digits before the point', async () => {
    const charge = await newCharge()
    const { json } = await putCharge(charge.id, { amount: '999999999999.99' })
    expect(json.charge.outstanding_amount).toBe('999999999999.99')
  })

  it('cannot fall below paid amounts and payments in progress', async () => {
    const charge = await paidInPart(500)
    await hold(charge, 1000)
    const { status, json } = await putCharge(charge.id, { amount: '14.99' })
    expect([status, json.error]).toEqual([
      400,
      {
        type: 'INVALID_STATE',
        message: 'charge.amount must be at least 15.00 EUR while a payment is in progress',
      },
    ])
    expect((await putCharge(charge.id, { amount: '15.00' })).json.charge.status).toBe('ACTIVE')
    await settle(charge, 1000, 'PAID')
    expect((await readCharge(charge.id)).status).toBe('PAID')
  })

  it('raised on a paid charge of a contract lowers the contract’s count of paid charges', async () => {
    const contract = await newRunning()
    await createDueCharges(test.deps)
    const [charge] = await test.chargesOf(contract.id)
    const { id } = charge as ChargeRow
    const paid = async () => (await test.readContract(contract.id)).charges_paid
    await putCharge(id, { amount: '0' })
    expect(await paid()).toBe(1)
    await putCharge(id, { amount: '5' })
    expect(await paid()).toBe(0)
  })
})

describe('the scheduled collection after a change', () => {
  const past = '2030-04-01T00:00:00.000Z'
  const future = '2031-04-01T00:00:00.000Z'
  const now = 'now'

  it.each([
    ['ACTIVE', 'a method', null, { due: past }, now],
    ['ACTIVE', 'a method', null, { due: future }, future],
    ['ACTIVE', 'no method', null, { due: past }, null],
    ['ACTIVE', 'no method', null, { due: future }, null],
    ['ACTIVE', 'a method', future, { due: null }, null],
    ['ACTIVE', 'a method', future, { due: past, status: 'WRITTENOFF' }, null],
    ['ACTIVE', 'a method', past, { amount: '0' }, null],
    ['WRITTENOFF', 'a method', past, { status: 'ACTIVE' }, now],
    ['WRITTENOFF', 'a method', past, { status: 'ACTIVE', due: future }, future],
    ['WRITTENOFF', 'a method', future, { status: 'ACTIVE', due: past }, now],
    ['WRITTENOFF', 'a method', past, { status: 'ACTIVE', amount: '0' }, null],
    ['WRITTENOFF', 'a method', future, { status: 'ACTIVE', due: null }, future],
    ['WRITTENOFF', 'a method', null, { status: 'ACTIVE' }, null],
    ['WRITTENOFF', 'a method', null, { due: past }, null],
    ['WRITTENOFF', 'no method', past, { status: 'ACTIVE' }, null],
    ['PAID', 'a method', null, { due: past }, null],
    ['PAID', 'a method', past, { amount: '30' }, now],
  ] as const)(
    'of %s with %s, due %s, after %j, comes at %s',
    async (status, with_, due, change, plan) => {
      const charge = await chargeIn(status, with_ === 'a method' ? { ...stored, due } : { due })
      app.pass(1000)
      const response = await putCharge(charge.id, change)
      expect(response.status, response.text).toBe(200)
      expect(response.json.charge.next_attempt).toBe(plan === now ? inDays(0) : plan)
      expect(response.json.charge.attempts).toBe(0)
    },
  )

  it('is not scheduled when the method was removed', async () => {
    const removed = await newMethod(account, { status: 'REMOVED' })
    const charge = await newCharge({ accountId: account, paymentMethodId: removed })
    expect((await putCharge(charge.id, { due: past })).json.charge.next_attempt).toBeNull()
  })

  it('restarts when the due time moves', async () => {
    const charge = await newCharge({ ...stored, due: inDays(3) })
    const { json } = await putCharge(charge.id, { due: inDays(10) })
    expect(json.charge.next_attempt).toBe(inDays(10))
  })
})

describe('writing off a charge with a payment in progress', () => {
  it('records the payment and stays WRITTENOFF unless all is paid', async () => {
    const charge = await newCharge({ ...stored, due: inDays(0) })
    await hold(charge, 500)
    await putCharge(charge.id, { status: 'WRITTENOFF' })
    await settle(charge, 500, 'PAID')
    expect(await readCharge(charge.id)).toMatchObject({
      status: 'WRITTENOFF',
      paid_amount: '5.00',
      next_attempt: null,
    })
  })

  it('ends as PAID when a payment covers the charge', async () => {
    const charge = await newCharge({ ...stored, due: inDays(0) })
    await hold(charge, 2000)
    await putCharge(charge.id, { status: 'WRITTENOFF' })
    await settle(charge, 2000, 'PAID')
    expect(await readCharge(charge.id)).toMatchObject({ status: 'PAID', paid_amount: '20.00' })
    expect((await eventsOf(charge.id)).map(({ type }) => type)).toEqual([
      'charge.created',
      'charge.writtenoff',
      'charge.paid',
    ])
  })
})

describe('concurrent changes', () => {
  it('are applied one after another', async () => {
    const charge = await newCharge()
    const responses = await Promise.all([
      ...[21, 22, 23].map((amount) => putCharge(charge.id, { amount: String(amount) })),
      ...[1, 2, 3].map((days) => putCharge(charge.id, { due: inDays(days) })),
    ])
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const versions = responses.map(({ json }) => Number(json.charge.v))
    expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7])
    expect((await chargeRow(charge.id)).v).toBe(7)
  })

  it('never lower the amount below paid amounts and payments in progress', async () => {
    const charge = await newCharge()
    const outcomes = await Promise.allSettled([
      hold(charge, 1500),
      putCharge(charge.id, { amount: '10.00' }),
      hold(charge, 700),
      putCharge(charge.id, { amount: '12.00' }),
    ])
    expect(outcomes).toHaveLength(4)
    const { amount, in_flight_amount } = await chargeRow(charge.id)
    expect(in_flight_amount).toBeLessThanOrEqual(amount)
  })
})

describe('the session that changed a charge', () => {
  it('is the caller’s', async () => {
    const charge = await newCharge()
    const { json } = await putCharge(charge.id, { due: inDays(1) })
    expect(json.charge.updated_session).toMatch(/^ses_/)
    expect(json.charge.created_session).toBeNull()
    const { json: shown } = await app.merchant.api(`/charges/${charge.id}?expand=updated_session`)
    expect(shown.charge.updated_session).toMatchObject({ type: 'API_KEY' })
  })
})
