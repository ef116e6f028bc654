import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargeRow } from '../db/tables/charges.ts'
import { startTestApp } from '../../test/app.ts'
import { cancelContract } from './cancel-contract.ts'
import { createDueCharges } from './recurring-charges.ts'
import { reserveOnCharge, refundAllocation } from './allocations.ts'
import { DAY_MS, testCharges } from '../../test/charges.ts'

const app = await startTestApp()
const { newCharge, newAccount, newRunning, hold, settle, ...test } = testCharges(app)
const { write, readCharge, putCharge, chargeRow, eventsOf } = test
const instanceId = app.merchant.instance.id
const account = await newAccount()
const other = await newAccount()

const holdAs = (charge: ChargeRow | string, change: Record<string, unknown>) =>
  write((tx) =>
    reserveOnCharge(tx, instanceId, {
      chargeId: typeof charge === 'string' ? charge : charge.id,
      amount: 100,
      currency: 'EUR',
      accountId: account,
      member: 'payment.parts.0',
      now: app.now(),
      ...change,
    }),
  )

const refund = (charge: ChargeRow, amount: number) =>
  write((tx) => refundAllocation(tx, { instanceId, chargeId: charge.id, amount, now: app.now() }))

/** The first charge of a contract that goes on by itself. */
async function chargeOfContract(): Promise<ChargeRow> {
  const contract = await newRunning()
  await createDueCharges(test.deps)
  const [charge] = await test.chargesOf(contract.id)
  return charge as ChargeRow
}

describe('reserving a part of a payment on a charge', () => {
  it.each([
    [
      'the currency is another',
      { currency: 'GBP' },
      'payment.parts.0.charge is in EUR, not in GBP',
    ],
    [
      'the payer is another',
      { accountId: other },
      'payment.parts.0.charge belongs to another account',
    ],
    [
      'the payment has no account',
      { accountId: null },
      'payment.parts.0.charge belongs to another account',
    ],
  ])('is refused: %s', async (_when, change, message) => {
    const charge = await newCharge({ accountId: account })
    await expect(holdAs(charge, change)).rejects.toMatchObject({
      type: 'INVALID_REQUEST',
      message,
    })
  })

  it.each(['cg_1_a', 'cg_1_a\0', 'acc_1_a', ''])(
    'is refused for the unknown charge %j',
    async (id) => {
      await expect(holdAs(id, {})).rejects.toMatchObject({ message: 'Charge not found' })
    },
  )

  it('is refused for a charge of another instance', async () => {
    const merchant = await app.newMerchant()
    const charge = await testCharges(app, merchant).newCharge()
    await expect(holdAs(charge, {})).rejects.toMatchObject({ message: 'Charge not found' })
  })

  it('reserves at most the outstanding amount', async () => {
    const charge = await newCharge({ accountId: account })
    await expect(holdAs(charge, { amount: 2001 })).rejects.toMatchObject({
      type: 'INVALID_STATE',
      message: 'payment.parts.0.amount must be at most 20.00 EUR',
    })
    expect((await holdAs(charge, { amount: 2000 })).in_flight_amount).toBe(2000)
  })

  it('never exceeds the outstanding amount when concurrent', async () => {
    const charge = await newCharge()
    const held = await Promise.allSettled(Array.from({ length: 20 }, () => hold(charge, 300)))
    expect(held.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    expect((await chargeRow(charge.id)).in_flight_amount).toBe(1800)
  })
})

describe('settling a part', () => {
  it('pays the charge when the payment covers it', async () => {
    const charge = await newCharge({ due: test.inDays(3), paymentMethodId: 'pm_1_a' })
    await hold(charge, 2000)
    await settle(charge, 2000, 'PAID')
    const paid = await readCharge(charge.id)
    expect(paid).toMatchObject({ status: 'PAID', outstanding_amount: '0.00', next_attempt: null })
    expect((await eventsOf(charge.id)).at(-1)).toEqual({ type: 'charge.paid', record: paid })
  })

  it('releases the amount of a failed payment and changes nothing else', async () => {
    const charge = await newCharge({ due: test.inDays(3), paymentMethodId: 'pm_1_a' })
    const before = [await readCharge(charge.id), await eventsOf(charge.id)]
    await hold(charge, 2000)
    await settle(charge, 2000, 'NOT_PAID')
    expect([await readCharge(charge.id), await eventsOf(charge.id)]).toEqual(before)
    expect((await hold(charge, 2000)).in_flight_amount).toBe(2000)
  })

  it('counts for the contract once the charge is paid', async () => {
    const charge = await chargeOfContract()
    const contract = async () =>
      (await test.readContract(charge.contract_id as string)).charges_paid
    await hold(charge, 1500)
    await settle(charge, 1500, 'PAID')
    expect(await contract()).toBe(0)
    await hold(charge, 500)
    await settle(charge, 500, 'PAID')
    expect(await contract()).toBe(1)
    const [last] = (await eventsOf(charge.contract_id as string)).toReversed()
    expect(last).toMatchObject({ type: 'contract.updated', record: { charges_paid: 1 } })
  })

  it('counts for the contract when settlements are concurrent', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY', count: 6 } })
    app.pass(6 * DAY_MS)
    await createDueCharges(test.deps)
    const before = await test.readContract(contract.id)
    const charges = await test.chargesOf(contract.id)
    await Promise.all(charges.map((charge) => hold(charge, 2000)))
    await Promise.all(charges.map((charge) => settle(charge, 2000, 'PAID')))
    expect(await test.readContract(contract.id)).toMatchObject({
      charges_paid: 6,
      v: before.v + 6,
    })
  })

  it('throws for an amount that is not reserved', async () => {
    const charge = await newCharge()
    await expect(settle(charge, 1, 'PAID')).rejects.toThrow('has less than 1 reserved')
    expect(await chargeRow(charge.id)).toEqual(charge)
  })

  it('loses no concurrent settlement', async () => {
    const charge = await newCharge()
    await Promise.all(Array.from({ length: 10 }, () => hold(charge, 200)))
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => settle(charge, 200, at < 7 ? 'PAID' : 'NOT_PAID')),
    )
    const { paid_amount, in_flight_amount, v } = await chargeRow(charge.id)
    expect([paid_amount, in_flight_amount, v]).toEqual([1400, 0, 8])
  })
})

describe('a charge with a payment in progress when its contract is canceled', () => {
  const cancel = (charge: ChargeRow) =>
    write((tx) => cancelContract(tx, charge.contract_id as string, app.now()))

  it.each([
    ['is paid when the money comes', 'PAID', 2000, { status: 'PAID', paid_amount: '20.00' }],
    [
      'is canceled when it does not',
      'NOT_PAID',
      2000,
      { status: 'CANCELLED', paid_amount: '0.00' },
    ],
    ['is cancelled when a part comes', 'PAID', 500, { status: 'CANCELLED', paid_amount: '5.00' }],
  ] as const)('%s', async (_what, outcome, amount, expected) => {
    const charge = await chargeOfContract()
    await hold(charge, amount)
    await cancel(charge)
    expect((await readCharge(charge.id)).status).toBe('ACTIVE')
    await settle(charge, amount, outcome)
    expect(await readCharge(charge.id)).toMatchObject({ ...expected, next_attempt: null })
  })

  it('waits for the last payment in progress and accepts no new one', async () => {
    const charge = await chargeOfContract()
    await hold(charge, 500)
    await hold(charge, 600)
    await cancel(charge)
    await expect(hold(charge, 100)).rejects.toMatchObject({
      message: 'payment.parts.0.charge belongs to a cancelled contract',
    })
    await settle(charge, 500, 'NOT_PAID')
    expect((await readCharge(charge.id)).status).toBe('ACTIVE')
    await settle(charge, 600, 'NOT_PAID')
    expect((await readCharge(charge.id)).status).toBe('CANCELLED')
  })

  it('stays written off when the merchant writes it off before the outcome', async () => {
    const charge = await chargeOfContract()
    await hold(charge, 2000)
    await cancel(charge)
    await putCharge(charge.id, { status: 'WRITTENOFF' })
    await settle(charge, 2000, 'NOT_PAID')
    expect((await readCharge(charge.id)).status).toBe('WRITTENOFF')
  })

  it('stays active when the merchant reactivates it after writing it off', async () => {
    const charge = await chargeOfContract()
    await hold(charge, 2000)
    await cancel(charge)
    await putCharge(charge.id, { status: 'WRITTENOFF' })
    await putCharge(charge.id, { status: 'ACTIVE' })
    await settle(charge, 2000, 'NOT_PAID')
    expect((await readCharge(charge.id)).status).toBe('ACTIVE')
  })
})

describe('a refund', () => {
  it('shows on the charge and does not raise the outstanding amount', async () => {
    const charge = await newCharge()
    await hold(charge, 2000)
    await settle(charge, 2000, 'PAID')
    await refund(charge, 1500)
    expect(await readCharge(charge.id)).toMatchObject({
      status: 'PAID',
      paid_amount: '20.00',
      refunded_amount: '15.00',
      outstanding_amount: '0.00',
    })
    expect((await eventsOf(charge.id)).at(-1)?.type).toBe('charge.updated')
  })

  it('that is declined is removed from the charge', async () => {
    const charge = await newCharge()
    await hold(charge, 2000)
    await settle(charge, 2000, 'PAID')
    await refund(charge, 1500)
    await refund(charge, -1500)
    expect((await readCharge(charge.id)).refunded_amount).toBe('0.00')
  })

  it('never exceeds the paid amount', async () => {
    const charge = await newCharge()
    await hold(charge, 500)
    await settle(charge, 500, 'PAID')
    await expect(refund(charge, 501)).rejects.toThrow()
    expect((await readCharge(charge.id)).refunded_amount).toBe('0.00')
  })
})

describe('any sequence of changes of a charge', () => {
  const step = fc.record({
    do: fc.constantFrom('hold', 'paid', 'not paid', 'amount', 'write off', 'activate', 'refund'),
    amount: fc.integer({ min: 0, max: 3000 }),
  })

  it('keeps sums consistent, increases the version, and is PAID only when nothing is outstanding', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const charge = await newCharge()
        const open: number[] = []
        let paid = 0
        for (const { do: what, amount } of steps) {
          const before = await chargeRow(charge.id)
          if (what === 'hold') {
            const room = before.amount - before.paid_amount - before.in_flight_amount
            const fits = before.status === 'ACTIVE' && amount > 0 && amount <= room
            if (amount === 0) continue
            const held = await hold(charge, amount).then(
              () => true,
              () => false,
            )
            expect(held).toBe(fits)
            if (held) open.push(amount)
          } else if (what === 'paid' || what === 'not paid') {
            const part = open.pop()
            if (part === undefined) continue
            await settle(charge, part, what === 'paid' ? 'PAID' : 'NOT_PAID')
            if (what === 'paid') paid += part
          } else if (what === 'refund') {
            if (before.refunded_amount + amount <= before.paid_amount) await refund(charge, amount)
          } else if (what === 'amount') {
            await putCharge(charge.id, { amount: `${amount / 100}` })
          } else {
            await putCharge(charge.id, { status: what === 'activate' ? 'ACTIVE' : 'WRITTENOFF' })
          }
          const after = await chargeRow(charge.id)
          expect(after.paid_amount).toBe(paid)
          expect(after.in_flight_amount).toBe(open.reduce((sum, part) => sum + part, 0))
          expect(after.outstanding_e4).toBe((after.amount - paid) * 100)
          expect(after.status === 'PAID').toBe(after.amount === paid)
          expect(after.v - before.v).toBeOneOf([0, 1])
        }
      }),
      { numRuns: 25 },
    )
  })
})
