import { afterAll, describe, expect, it } from 'vitest'
import { formatInstant } from '../../shared/rules/time.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { startTestApp } from '../../test/app.ts'
import { createDueCharges, createNextCharge } from './recurring-charges.ts'
import { DAY_MS, testCharges } from '../../test/charges.ts'

const app = await startTestApp()
const { newContract, newRunning, newMethod, ...test } = testCharges(app)
const { deps, write, contractRow, chargesOf, readContract, putContract, inDays, eventsOf } = test

/** A second server on the same database, with connections of its own. */
const second = await createCheckstand({
  config: deps.config,
  now: app.now,
  log: createLog('silent', { write: () => {} }),
})
afterAll(() => second.close())

const next = (contract: Awaited<ReturnType<typeof newContract>>, more = {}) =>
  write((tx) => createNextCharge(tx, contract, { by: null, now: app.now(), ...more }))

const dues = async (contractId: string) => (await chargesOf(contractId)).map(({ due }) => due)

describe('the first charge of a contract', () => {
  it('has the contract’s amount and is due at its start', async () => {
    const contract = await newContract({ altKey: 'Sub 1', description: 'Club', amount: 999 })
    const charge = await next(contract, { scheduledPaymentId: 'pay_1_a' })
    expect(charge).toMatchObject({
      account_id: contract.account_id,
      contract_id: contract.id,
      contract_n: 1,
      amount: 999,
      currency: 'EUR',
      alt_key: 'Sub 1',
      description: 'Club',
      due: contract.anchor,
      recurring: 1,
      scheduled_payment_id: 'pay_1_a',
      next_attempt: null,
    })
    expect(await readContract(contract.id)).toMatchObject({
      charges_total: 1,
      status: 'ACTIVE',
      v: 2,
    })
    expect((await eventsOf(contract.id)).map(({ type }) => type)).toEqual([
      'contract.created',
      'contract.updated',
    ])
    expect((await eventsOf(charge?.id ?? '')).map(({ type }) => type)).toEqual(['charge.created'])
  })

  it('is the only one until its payment succeeds', async () => {
    const contract = await newContract({ recurring: { frequency: 'DAY' } })
    await next(contract)
    app.pass(3 * DAY_MS)
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(1)
  })

  it('starts a contract with a later start and a stored method', async () => {
    const accountId = await test.newAccount()
    const paymentMethodId = await newMethod(accountId)
    const anchor = inDays(2)
    const contract = await newContract({ accountId, paymentMethodId, anchor })
    const first = await next(contract)
    expect(first?.next_attempt).toBe(anchor)
    app.pass(40 * DAY_MS)
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(2)
  })
})

describe('the charges of a contract', () => {
  it('are created at their due times with the contract’s stored method', async () => {
    const contract = await newRunning({ recurring: { frequency: 'WEEK', interval: 2 } })
    await createDueCharges(deps)
    expect(await dues(contract.id)).toEqual([contract.anchor])
    app.pass(14 * DAY_MS - 1)
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(1)
    app.pass(1)
    await createDueCharges(deps)
    const [, charge] = await chargesOf(contract.id)
    expect(charge).toMatchObject({
      due: inDays(0),
      next_attempt: inDays(0),
      payment_method_id: contract.payment_method_id,
    })
    expect((await readContract(contract.id)).next_due).toBe(inDays(14))
  })

  it('are created after a long downtime, each with its own due time', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY' } })
    app.pass(70 * DAY_MS)
    // One run makes twenty of one contract; the next goes on.
    for (let run = 0; run < 5; run += 1) await createDueCharges(deps)
    const anchor = Date.parse(contract.anchor)
    expect(await dues(contract.id)).toEqual(
      Array.from({ length: 71 }, (_, n) => formatInstant(anchor + n * DAY_MS)),
    )
  })

  it('are created once by concurrent processes', async () => {
    const contracts = await Promise.all(
      Array.from({ length: 5 }, () => newRunning({ recurring: { frequency: 'DAY', count: 8 } })),
    )
    app.pass(10 * DAY_MS)
    await Promise.all(
      Array.from({ length: 4 }, (_, n) => createDueCharges(n % 2 === 0 ? deps : second.deps)),
    )
    // A process that loses the race leaves the rest to its next run.
    await createDueCharges(deps)
    for (const { id } of contracts) {
      expect((await chargesOf(id)).map(({ contract_n }) => contract_n)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8,
      ])
      expect(await readContract(id)).toMatchObject({ charges_total: 8, status: 'ENDED' })
    }
  })

  it('are created by one of two processes that read the same contract', async () => {
    const contract = await newContract()
    const made = await Promise.all(Array.from({ length: 10 }, () => next(contract)))
    expect(made.filter((charge) => charge !== undefined)).toHaveLength(1)
    expect(await chargesOf(contract.id)).toHaveLength(1)
  })

  it('of many failing contracts do not block those of later ones', async () => {
    const broken: string[] = []
    for (let n = 0; n < 120; n += 1) broken.push((await newRunning()).id)
    await deps.db
      .updateTable('contracts')
      .set({ timezone: 'Nowhere/Land' })
      .where('id', 'in', broken)
      .execute()
    app.pass(1000)
    const contract = await newRunning()
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(1)
    // Each was tried, and once.
    for (const id of broken) expect(app.logged().split(`"contract":"${id}"`)).toHaveLength(2)
    await deps.db.updateTable('contracts').set({ started: 0 }).where('id', 'in', broken).execute()
  })
})

describe('the end of a contract', () => {
  it('comes with the last charge when the count is limited', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY', count: 2 } })
    app.pass(5 * DAY_MS)
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(2)
    expect(await readContract(contract.id)).toMatchObject({ status: 'ENDED', next_due: null })
    expect((await eventsOf(contract.id)).at(-1)?.type).toBe('contract.ended')
  })

  it.each([
    ['on the day itself', 3, 4],
    ['between two', 3.5, 4],
    ['before the second', 0.5, 1],
  ])('comes when the next charge would be due after it: %s', async (_when, days, count) => {
    const until = inDays(days)
    const contract = await newRunning({ recurring: { frequency: 'DAY', until } })
    app.pass(10 * DAY_MS)
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(count)
    expect((await readContract(contract.id)).status).toBe('ENDED')
  })

  it('can be stated in any time zone', async () => {
    const until = new Date(app.now() + DAY_MS).toISOString().replace('.000Z', '+00:00')
    const contract = await newContract({ recurring: { frequency: 'DAY', until } })
    expect((await readContract(contract.id)).recurring.until).toBe(inDays(1))
  })

  it('cannot precede the start', async () => {
    await expect(
      newContract({ recurring: { frequency: 'DAY', until: inDays(-1) } }),
    ).rejects.toMatchObject({
      message: 'payment.recurring.until must not be before the first payment is due',
    })
  })

  it('stops the creation of charges', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY', count: 1 } })
    await createDueCharges(deps)
    expect(await next(await contractRow(contract.id))).toBeUndefined()
  })
})

describe('a paused contract', () => {
  it('creates no charges and resumes with future due times', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY' } })
    await createDueCharges(deps)
    await putContract(contract.id, { status: 'PAUSED' })
    app.pass(3.5 * DAY_MS)
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(1)
    const { json } = await putContract(contract.id, { status: 'ACTIVE' })
    expect(json.contract).toMatchObject({
      status: 'ACTIVE',
      next_due: inDays(0.5),
      charges_total: 1,
    })
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(1)
    app.pass(DAY_MS / 2)
    await createDueCharges(deps)
    expect(await chargesOf(contract.id)).toHaveLength(2)
  })

  it('skips no charge when it was paused between two due times', async () => {
    const contract = await newRunning()
    await createDueCharges(deps)
    const { next_due } = await readContract(contract.id)
    await putContract(contract.id, { status: 'PAUSED' })
    app.pass(DAY_MS)
    const { json } = await putContract(contract.id, { status: 'ACTIVE' })
    expect(json.contract.next_due).toBe(next_due)
  })

  it('ends when no due time is left', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY', until: inDays(2) } })
    await putContract(contract.id, { status: 'PAUSED' })
    app.pass(5 * DAY_MS)
    const { json } = await putContract(contract.id, { status: 'ACTIVE' })
    expect(json.contract).toMatchObject({ status: 'ENDED', next_due: null })
    expect((await eventsOf(contract.id)).at(-1)?.type).toBe('contract.ended')
  })
})
