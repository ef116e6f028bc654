import { describe, expect, it } from 'vitest'
import type { ChargeRow } from '../db/tables/charges.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { DAY_MS, testCharges } from '../../test/charges.ts'
import { startTestApp } from '../../test/app.ts'
import { startContract } from './update-contract.ts'

const app = await startTestApp()
const { api } = app.merchant
const { newContract, newRunning, newAccount, newMethod, ...test } = testCharges(app)
const { deps, write, readContract, putContract, contractRow, chargesOf, inDays, eventsOf } = test

const remove = (named: string) => api(`/contracts/${named}`, { method: 'DELETE' })
const statuses = async (contractId: string) =>
  (await chargesOf(contractId)).map(({ status }) => status)

/** A daily contract that has made so many charges. */
async function withCharges(count: number) {
  const contract = await newRunning({ recurring: { frequency: 'DAY' } })
  app.pass((count - 1) * DAY_MS)
  await createDueCharges(deps)
  return contractRow(contract.id)
}

describe('reading a contract', () => {
  it('returns every member', async () => {
    const contract = await newContract({
      altKey: 'Club 7',
      description: 'Club',
      recurring: { frequency: 'MONTH', interval: 3, count: 4 },
      timezone: 'Europe/London',
      amount: 1234,
      currency: 'BHD',
    })
    expect(await readContract(contract.id)).toEqual({
      id: contract.id,
      alt_key: 'Club 7',
      account: contract.account_id,
      legal_entity: null,
      payment_method: null,
      payment_link: null,
      amount: '1.234',
      currency: 'BHD',
      description: 'Club',
      recurring: { frequency: 'MONTH', interval: 3, count: 4, until: null, trial_days: null },
      consent: null,
      timezone: 'Europe/London',
      next_due: contract.anchor,
      status: 'ACTIVE',
      charges_total: 0,
      charges_paid: 0,
      created_session: null,
      updated_session: null,
      created: contract.created,
      updated: contract.created,
      v: 1,
    })
    expect(contract.id).toMatch(/^co_[0-9]+_[0-9a-z]+$/)
    expect((await readContract('CLUB%207')).id).toBe(contract.id)
  })

  it('expands its account and method', async () => {
    const contract = await newRunning()
    const { json } = await api(`/contracts/${contract.id}?expand=account,payment_method.account`)
    expect(json.contract).toMatchObject({
      account: { id: contract.account_id },
      payment_method: { account: { id: contract.account_id } },
    })
    expect((await api('/contracts?expand=charges')).status).toBe(400)
  })

  it('by alt_key returns the newest', async () => {
    await newContract({ altKey: 'twice' })
    app.pass(1000)
    const newer = await newContract({ altKey: 'TWICE' })
    expect((await readContract('twice')).id).toBe(newer.id)
  })

  it('returns 404 for an unknown contract and for one of another instance', async () => {
    const contract = await newContract({ altKey: 'mine' })
    const other = await app.newMerchant()
    for (const [as, named] of [
      [api, 'co_1_a'],
      [api, 'nobody'],
      [api, '%00'],
      [other.api, contract.id],
      [other.api, 'mine'],
    ] as const) {
      for (const call of [{}, { method: 'PUT', body: { contract: {} } }, { method: 'DELETE' }]) {
        const { status, json } = await as(`/contracts/${named}`, call)
        const error = { type: 'NOT_FOUND', message: 'Contract not found' }
        expect([status, json.error]).toEqual([404, error])
      }
    }
    expect((await readContract(contract.id)).status).toBe('ACTIVE')
  })
})

describe('a list of contracts', async () => {
  const merchant = await app.newMerchant()
  const foreign = testCharges(app, merchant)
  const a = await foreign.newContract({ altKey: 'a' })
  app.pass(1000)
  const b = await foreign.newRunning({ altKey: 'b', anchor: inDays(9), currency: 'JPY' })
  app.pass(1000)
  const c = await foreign.newContract({ altKey: 'c' })
  await merchant.api(`/contracts/${c.id}`, { method: 'DELETE' })

  it.each([
    ['', 'cba'],
    ['status=active', 'ba'],
    ['status!=ACTIVE', 'c'],
    ['next_due!', 'c'],
    [`next_due>=${inDays(8)}`, 'b'],
    ['payment_method!!', 'b'],
    [`payment_method=${b.payment_method_id}`, 'b'],
    [`account=${a.account_id}`, 'a'],
    ['currency=JPY', 'b'],
    ['alt_key=A;C', 'ca'],
    [`id=${a.id}`, 'a'],
    [`created>${a.created}`, 'cb'],
  ])('with %s', async (criteria, found) => {
    const { json } = await merchant.api(`/contracts?criteria=${encodeURIComponent(criteria)}`)
    const keys = json.contracts.map(({ alt_key }: { alt_key: string }) => alt_key)
    expect(keys.join('')).toBe(found)
    expect(json.meta.total).toBe(found.length)
  })

  it('can be ordered', async () => {
    const { json } = await merchant.api('/contracts?order=next_due:desc&limit=2')
    expect(json.contracts.map(({ id }: { id: string }) => id)).toEqual([b.id, a.id])
  })

  it('refuses an unknown field', async () => {
    const { status, json } = await merchant.api('/contracts?criteria=amount=1')
    expect([status, json.error.message]).toEqual([400, 'Unknown criteria field amount'])
  })
})

describe('changing a contract', () => {
  it('changes the named members, with the caller’s session, and records an event', async () => {
    const contract = await newRunning({ description: 'Club' })
    const replacement = await newMethod(contract.account_id)
    app.pass(1000)
    const change = { payment_method: replacement, description: null }
    const { json, status, text } = await putContract(contract.id, change)
    expect(status, text).toBe(200)
    expect(json.contract).toMatchObject({ ...change, status: 'ACTIVE', v: contract.v + 1 })
    expect(json.contract.updated_session).toMatch(/^ses_/)
    expect(await readContract(contract.id)).toEqual(json.contract)
    const last = { type: 'contract.updated', record: json.contract }
    expect((await eventsOf(contract.id)).at(-1)).toEqual(last)
  })

  it('increases the version only when a value changes', async () => {
    const contract = await newRunning({ description: 'Club' })
    const before = [await readContract(contract.id), await eventsOf(contract.id)]
    app.pass(1000)
    for (const change of [
      {},
      { status: 'ACTIVE', description: 'Club', payment_method: contract.payment_method_id },
    ]) {
      expect((await putContract(contract.id, change)).status).toBe(200)
    }
    expect([await readContract(contract.id), await eventsOf(contract.id)]).toEqual(before)
  })

  it.each([
    [{ status: 'CANCELLED' }, 'contract.status must be ACTIVE or PAUSED'],
    [{ payment_method: null }, 'contract.payment_method must not be null'],
    [{ payment_method: 'acc_1_a' }, 'contract.payment_method must be an id that begins with pm_'],
    [{ payment_method: 'pm_1_a' }, 'contract.payment_method must be a stored method'],
    [{ amount: '1' }, 'Unknown field contract.amount'],
    [{ description: 'a\0' }, 'contract.description must not contain the NUL character'],
  ])('refuses %j', async (change, message) => {
    const contract = await newRunning()
    const { status, json } = await putContract(contract.id, change)
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })

  it.each([
    ['is of another account', async () => newMethod(await newAccount())],
    ['was removed', async (account: string) => newMethod(account, { status: 'REMOVED' })],
    ['is limited to one payment', async (account: string) => newMethod(account, { reusable: 0 })],
  ])('refuses a method that %s', async (_what, make) => {
    const contract = await newRunning()
    const { status, json } = await putContract(contract.id, {
      payment_method: await make(contract.account_id),
    })
    expect([status, json.error.message]).toEqual([
      400,
      'contract.payment_method must be a stored method of the same account',
    ])
    expect(await contractRow(contract.id)).toEqual(contract)
  })

  it('is refused for a canceled contract', async () => {
    const contract = await newRunning()
    await remove(contract.id)
    for (const change of [{ status: 'ACTIVE' }, { description: 'x' }]) {
      const { status, json } = await putContract(contract.id, change)
      expect([status, json.error]).toEqual([
        400,
        { type: 'INVALID_STATE', message: 'Contract is cancelled and cannot change' },
      ])
    }
  })

  it('that has ended can change the method and cannot resume it', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY', count: 1 } })
    await createDueCharges(deps)
    for (const status of ['ACTIVE', 'PAUSED']) {
      const response = await putContract(contract.id, { status })
      expect([response.status, response.json.error.type]).toEqual([400, 'INVALID_STATE'])
    }
    const replacement = await newMethod(contract.account_id)
    const { json } = await putContract(contract.id, { payment_method: replacement })
    expect(json.contract).toMatchObject({ status: 'ENDED', payment_method: replacement })
  })

  it('schedules an overdue charge that had no method', async () => {
    const contract = await newRunning()
    await createDueCharges(deps)
    const [charge] = await chargesOf(contract.id)
    const { id } = charge as ChargeRow
    await test.setMethod(contract.payment_method_id as string, { status: 'REMOVED' })
    await test.putCharge(id, { due: inDays(5) })
    expect((await test.readCharge(id)).next_attempt).toBeNull()
    await putContract(contract.id, { payment_method: await newMethod(contract.account_id) })
    expect((await test.readCharge(id)).next_attempt).toBe(inDays(5))
  })
})

describe('canceling a contract', () => {
  it('cancels unpaid charges and keeps those paid, written off or in progress', async () => {
    const contract = await withCharges(5)
    const [paid, writtenOff, held, part] = (await chargesOf(contract.id)) as [
      ChargeRow,
      ChargeRow,
      ChargeRow,
      ChargeRow,
    ]
    await test.putCharge(paid.id, { amount: '0' })
    await test.putCharge(writtenOff.id, { status: 'WRITTENOFF' })
    await test.hold(held, 500)
    await test.hold(part, 500)
    await test.settle(part, 500, 'PAID')
    const response = await remove(contract.id)
    expect([response.status, response.text]).toEqual([204, ''])
    expect(await statuses(contract.id)).toEqual([
      'PAID',
      'WRITTENOFF',
      'ACTIVE',
      'CANCELLED',
      'CANCELLED',
    ])
    const canceled = await readContract(contract.id)
    expect(canceled).toMatchObject({ status: 'CANCELLED', next_due: null })
    expect((await eventsOf(contract.id)).at(-1)).toEqual({
      type: 'contract.ended',
      record: canceled,
    })
    const last = await test.readCharge(part.id)
    expect(last).toMatchObject({ next_attempt: null, updated_session: canceled.updated_session })
    expect((await eventsOf(part.id)).at(-1)).toEqual({ type: 'charge.updated', record: last })
  })

  it('creates no further charge', async () => {
    const contract = await withCharges(1)
    await remove(contract.id)
    app.pass(3 * DAY_MS)
    await createDueCharges(deps)
    expect(await statuses(contract.id)).toEqual(['CANCELLED'])
  })

  it('changes nothing when repeated', async () => {
    const contract = await withCharges(1)
    await remove(contract.id)
    const before = [await contractRow(contract.id), await eventsOf(contract.id)]
    app.pass(1000)
    expect((await remove(contract.id)).status).toBe(204)
    expect([await contractRow(contract.id), await eventsOf(contract.id)]).toEqual(before)
  })

  it('that has ended changes nothing: open charges stay open', async () => {
    const contract = await newRunning({ recurring: { frequency: 'DAY', count: 1 } })
    await createDueCharges(deps)
    expect((await remove(contract.id)).status).toBe(204)
    expect((await readContract(contract.id)).status).toBe('ENDED')
    expect(await statuses(contract.id)).toEqual(['ACTIVE'])
  })

  it('leaves no concurrently created charge', async () => {
    for (let n = 0; n < 5; n += 1) {
      const contract = await newRunning({ recurring: { frequency: 'DAY' } })
      await Promise.all([remove(contract.id), createDueCharges(deps)])
      expect(await statuses(contract.id)).not.toContain('ACTIVE')
    }
  })

  it('is not reverted when its first payment succeeds later', async () => {
    const contract = await newContract()
    await remove(contract.id)
    const paymentMethodId = await newMethod(contract.account_id)
    await write((tx) => startContract(tx, contract.id, { paymentMethodId, now: app.now() }))
    expect(await readContract(contract.id)).toMatchObject({ status: 'CANCELLED', next_due: null })
  })
})
