import { describe, expect, it } from 'vitest'
import type { ChargeRow } from '../db/tables/charges.ts'
import { inTransaction } from '../db/transaction.ts'
import { startTestApp } from '../../test/app.ts'
import {
  reserveForCollection,
  listDueCharges,
  lockCollectionMethod,
  scheduleRetry,
  skipCollection,
} from './collection-schedule.ts'
import { createDueCharges } from './recurring-charges.ts'
import { DAY_MS, testCharges } from '../../test/charges.ts'

const app = await startTestApp()
const { newCharge, newAccount, newMethod, newRunning, hold, settle, ...test } = testCharges(app)
const { deps, write, readCharge, putCharge, putContract, chargeRow, inDays, eventsOf } = test
const account = await newAccount()
const method = await newMethod(account)

const collectable = (from: Parameters<typeof newCharge>[0] = {}) =>
  newCharge({ accountId: account, paymentMethodId: method, due: inDays(0), ...from })

const due = async () => (await listDueCharges(deps.db, inDays(0), 1000)).map(({ id }) => id)
const isDue = async (charge: ChargeRow) => (await due()).includes(charge.id)
const claim = (charge: ChargeRow) => write((tx) => reserveForCollection(tx, charge, app.now()))
const retry = (charge: ChargeRow) =>
  write((tx) => scheduleRetry(tx, charge.id, { advice: null, now: app.now() }))

/** A charge that was collected and declined once. */
async function declined(): Promise<ChargeRow> {
  const charge = await collectable()
  await claim(charge)
  await settle(charge, 2000, 'NOT_PAID')
  return chargeRow(charge.id)
}

describe('the list of charges to collect', () => {
  it('has only due, active charges without a payment in progress', async () => {
    const charge = await collectable()
    const later = await collectable({ due: inDays(1) })
    const without = await collectable({ paymentMethodId: null })
    const paid = await collectable()
    await putCharge(paid.id, { amount: '0' })
    const held = await collectable()
    await hold(held, 1)
    const found = await due()
    expect(found).toContain(charge.id)
    for (const { id } of [later, without, paid, held]) expect(found).not.toContain(id)
    await settle(held, 1, 'NOT_PAID')
    expect(await isDue(held)).toBe(true)
    app.pass(DAY_MS)
    expect(await isDue(later)).toBe(true)
  })

  it('is ordered by due time and limited', async () => {
    const [second, first] = [
      await collectable({ due: inDays(-400) }),
      await collectable({ due: inDays(-500) }),
    ]
    const listed = await listDueCharges(deps.db, inDays(0), 2)
    expect(listed.map(({ id }) => id)).toEqual([first.id, second.id])
  })
})

describe('claiming a charge for collection', () => {
  it('reserves the outstanding amount', async () => {
    const charge = await collectable()
    await hold(charge, 500)
    await settle(charge, 500, 'PAID')
    const claimed = await claim(charge)
    expect(claimed).toMatchObject({ in_flight_amount: 1500, attempts: 1, next_attempt: null, v: 3 })
    expect((await eventsOf(charge.id)).at(-1)).toMatchObject({
      type: 'charge.updated',
      record: { attempts: 1, next_attempt: null },
    })
  })

  it('succeeds once when concurrent', async () => {
    const charge = await collectable()
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(charge)))
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1)
    expect(await chargeRow(charge.id)).toMatchObject({ in_flight_amount: 2000, attempts: 1 })
  })

  it('never reserves an amount that a requested payment has reserved', async () => {
    for (let n = 0; n < 10; n += 1) {
      const charge = await collectable()
      const [claimed, held] = await Promise.allSettled([claim(charge), hold(charge, 2000)])
      const taken = [claimed.status === 'fulfilled' && claimed.value, held.status === 'fulfilled']
      expect(taken.filter(Boolean)).toHaveLength(1)
      expect((await chargeRow(charge.id)).in_flight_amount).toBe(2000)
    }
  })

  it.each([
    ['written off', { status: 'WRITTENOFF' }],
    ['paid', { amount: '0' }],
    ['due at another time', { due: '2031-01-01T00:00:00Z' }],
    ['no longer due', { due: null }],
  ])('fails for a charge that has become %s', async (_what, change) => {
    const charge = await collectable()
    await putCharge(charge.id, change)
    expect(await claim(charge)).toBeUndefined()
    expect((await chargeRow(charge.id)).attempts).toBe(0)
  })

  it('fails for a charge with a payment in progress, even of a part', async () => {
    const charge = await collectable()
    await hold(charge, 1)
    expect(await claim(charge)).toBeUndefined()
    expect((await chargeRow(charge.id)).in_flight_amount).toBe(1)
  })

  it('fails for a charge whose earlier collection was declined', async () => {
    const charge = await collectable()
    await claim(charge)
    await settle(charge, 2000, 'NOT_PAID')
    await retry(charge)
    expect(await claim(charge)).toBeUndefined()
  })
})

describe('after a declined collection', () => {
  it('the charge is retried, which its event says', async () => {
    const charge = await declined()
    await retry(charge)
    expect((await eventsOf(charge.id)).at(-1)).toMatchObject({
      type: 'charge.updated',
      record: { attempts: 1, next_attempt: inDays(1) },
    })
  })

  it('the retry waits for a due time that the merchant moved', async () => {
    const charge = await collectable()
    await claim(charge)
    await putCharge(charge.id, { due: inDays(14) })
    await settle(charge, 2000, 'NOT_PAID')
    await retry(charge)
    expect((await readCharge(charge.id)).next_attempt).toBe(inDays(14))
  })

  it('the charge is not retried when the merchant removed the due time', async () => {
    const charge = await collectable()
    await claim(charge)
    await putCharge(charge.id, { due: null })
    await settle(charge, 2000, 'NOT_PAID')
    await retry(charge)
    expect((await readCharge(charge.id)).next_attempt).toBeNull()
  })

  it.each([
    ['written off', { status: 'WRITTENOFF' }],
    ['paid', { amount: '0' }],
  ])('a charge that is %s is not rescheduled', async (_what, change) => {
    const charge = await declined()
    await putCharge(charge.id, change)
    const before = await chargeRow(charge.id)
    await retry(charge)
    expect(await chargeRow(charge.id)).toEqual(before)
  })
})

describe('the rest of a charge that is raised during its collection', () => {
  it('is collected next', async () => {
    const charge = await collectable()
    await claim(charge)
    await putCharge(charge.id, { amount: '25' })
    expect(await isDue(charge)).toBe(false)
    await settle(charge, 2000, 'PAID')
    const row = await chargeRow(charge.id)
    expect(await isDue(row)).toBe(true)
    expect((await claim(row))?.in_flight_amount).toBe(500)
  })
})

describe('the method to collect from', () => {
  const methodOf = async (charge: ChargeRow) =>
    (await inTransaction(deps.db, (tx) => lockCollectionMethod(tx, charge, app.now())))?.id

  it('is the charge’s own, even if it was removed and no other exists', async () => {
    const own = await newMethod(account)
    const charge = await collectable({ paymentMethodId: own })
    expect(await methodOf(charge)).toBe(own)
    await test.setMethod(own, { status: 'REMOVED' })
    expect(await methodOf(charge)).toBe(own)
  })

  it('is the contract’s when the charge has none', async () => {
    const contract = await newRunning()
    await createDueCharges(deps)
    const [charge] = await test.chargesOf(contract.id)
    expect(await methodOf({ ...(charge as ChargeRow), payment_method_id: null })).toBe(
      contract.payment_method_id,
    )
  })

  it('never belongs to another instance', async () => {
    const merchant = await app.newMerchant()
    const other = testCharges(app, merchant)
    const foreign = await other.newMethod(await other.newAccount())
    expect(await methodOf(await collectable({ paymentMethodId: foreign }))).toBeUndefined()
  })

  it('of unpaid charges follows a change of the contract’s', async () => {
    const contract = await newRunning()
    await createDueCharges(deps)
    const [made] = await test.chargesOf(contract.id)
    const charge = made as ChargeRow
    const replacement = await newMethod(contract.account_id)
    await putContract(contract.id, { payment_method: replacement })
    expect(await readCharge(charge.id)).toMatchObject({
      payment_method: replacement,
      next_attempt: charge.next_attempt,
      v: 2,
    })
  })
})

describe('a due charge without a method', () => {
  it('is not listed again until the merchant changes it', async () => {
    const charge = await collectable()
    await inTransaction(deps.db, (tx) => skipCollection(tx, charge, app.now()))
    expect(await isDue(charge)).toBe(false)
    expect(await readCharge(charge.id)).toMatchObject({
      next_attempt: null,
      status: 'ACTIVE',
      v: 2,
    })
  })

  it('keeps a schedule that was set concurrently', async () => {
    const charge = await collectable()
    await putCharge(charge.id, { due: inDays(5) })
    await write((tx) => skipCollection(tx, charge, app.now()))
    expect((await readCharge(charge.id)).next_attempt).toBe(inDays(5))
  })
})
