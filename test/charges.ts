import { expect } from 'vitest'
import type { ChargeRow } from '../server/db/tables/charges.ts'
import type { ContractRow } from '../server/db/tables/contracts.ts'
import type { PaymentMethodRow } from '../server/db/tables/payment-methods.ts'
import { formatInstant } from '../shared/rules/time.ts'
import { createContract, type NewContract } from '../server/contracts/create.ts'
import { startContract } from '../server/contracts/update-contract.ts'
import { findContract } from '../server/contracts/store.ts'
import { inTransaction } from '../server/db/transaction.ts'
import type { Tx } from '../server/db/tables.ts'
import { newId } from '../server/ids.ts'
import { upsertPaymentMethod } from '../server/payment-methods/store.ts'
import type { Merchant, TestApp } from './app.ts'
import { createCharge, type NewCharge } from '../server/charges/create.ts'
import { reserveOnCharge, settleAllocation } from '../server/charges/allocations.ts'
import { findCharge } from '../server/charges/store.ts'

/** What payments do to charges and contracts, done by hand. Amounts are minor units. */

export const DAY_MS = 86_400_000

export function testCharges(app: TestApp, merchant: Merchant = app.merchant) {
  const { deps } = app.checkstand
  const instanceId = merchant.instance.id
  const write = <R>(work: (tx: Tx) => Promise<R>) => inTransaction(deps.db, work)
  /** The time some days from now, in stored form. */
  const inDays = (days: number) => formatInstant(app.now() + days * DAY_MS)

  async function newAccount(): Promise<string> {
    const response = await merchant.api('/accounts', { body: { account: { crm_key: 'payer' } } })
    return response.json.account.id
  }

  async function newMethod(
    accountId: string,
    change: Partial<PaymentMethodRow> = {},
  ): Promise<string> {
    const created = formatInstant(app.now())
    const id = newId('pm', app.now())
    const row: PaymentMethodRow = {
      id,
      instance_id: instanceId,
      account_id: accountId,
      type: 'CARD',
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2034,
      funding: null,
      country: null,
      status: 'ACTIVE',
      reusable: 1,
      consent: JSON.stringify({
        given: true,
        text: null,
        language: null,
        at: null,
        checkout: null,
      }),
      processor: 'sandbox',
      processor_token: 'stored_test',
      fingerprint: id,
      dedupe_key: id,
      created,
      updated: created,
      v: 1,
      ...change,
    }
    await write((tx) => upsertPaymentMethod(tx, row))
    return row.id
  }

  /** Writes columns of a stored method that no request can change. */
  const setMethod = (id: string, change: Partial<PaymentMethodRow>) =>
    deps.db.updateTable('payment_methods').set(change).where('id', '=', id).execute()

  const newCharge = (from: Partial<NewCharge> = {}): Promise<ChargeRow> =>
    write((tx) =>
      createCharge(tx, {
        instanceId,
        accountId: null,
        amount: 2000,
        currency: 'EUR',
        due: null,
        altKey: null,
        description: null,
        paymentMethodId: null,
        by: null,
        now: app.now(),
        ...from,
      }),
    )

  const contractRow = async (id: string): Promise<ContractRow> => {
    const row = await findContract(deps.db, instanceId, id)
    if (!row) throw new Error(`no contract ${id}`)
    return row
  }

  /** A monthly contract over 20.00 EUR, due for the first time now, not begun. */
  const newContract = async (from: Partial<NewContract> = {}): Promise<ContractRow> => {
    const accountId = from.accountId ?? (await newAccount())
    return write((tx) =>
      createContract(tx, {
        instanceId,
        paymentMethodId: null,
        amount: 2000,
        currency: 'EUR',
        description: null,
        altKey: null,
        recurring: { frequency: 'MONTH', interval: 1 },
        anchor: formatInstant(app.now()),
        timezone: 'UTC',
        by: null,
        now: app.now(),
        ...from,
        accountId,
      }),
    )
  }

  /** A contract whose first payment has stored a method, so that later charges are collected from it. */
  async function newRunning(from: Partial<NewContract> = {}): Promise<ContractRow> {
    const contract = await newContract(from)
    const paymentMethodId = await newMethod(contract.account_id)
    await write((tx) => startContract(tx, contract.id, { paymentMethodId, now: app.now() }))
    return contractRow(contract.id)
  }

  const hold = (charge: ChargeRow, amount: number) =>
    write((tx) =>
      reserveOnCharge(tx, instanceId, {
        chargeId: charge.id,
        amount,
        currency: charge.currency,
        accountId: charge.account_id,
        member: 'payment.parts.0',
        now: app.now(),
      }),
    )

  const settle = (charge: ChargeRow, amount: number, outcome: 'PAID' | 'NOT_PAID') =>
    write((tx) =>
      settleAllocation(tx, {
        instanceId,
        chargeId: charge.id,
        amount,
        outcome,
        paymentId: 'pay_1_a',
        paymentLinkId: null,
        now: app.now(),
      }),
    )

  const chargeRow = async (id: string): Promise<ChargeRow> => {
    const row = await findCharge(deps.db, instanceId, id)
    if (!row) throw new Error(`no charge ${id}`)
    return row
  }

  const chargesOf = (contractId: string): Promise<ChargeRow[]> =>
    deps.db
      .selectFrom('charges')
      .selectAll()
      .where('contract_id', '=', contractId)
      .orderBy('contract_n')
      .execute()

  /** The charge as the API shows it. */
  async function readCharge(named: string) {
    const response = await merchant.api(`/charges/${named}`)
    expect(response.status, response.text).toBe(200)
    return response.json.charge
  }

  const putCharge = (named: string, charge: Record<string, unknown>) =>
    merchant.api(`/charges/${named}`, { method: 'PUT', body: { charge } })

  async function readContract(named: string) {
    const response = await merchant.api(`/contracts/${named}`)
    expect(response.status, response.text).toBe(200)
    return response.json.contract
  }

  const putContract = (named: string, contract: Record<string, unknown>) =>
    merchant.api(`/contracts/${named}`, { method: 'PUT', body: { contract } })

  /** Events of a record, oldest first, each with the record at that time. */
  async function eventsOf(
    id: string,
  ): Promise<{ type: string; record: Record<string, unknown> }[]> {
    const rows = await deps.db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('instance_id', '=', instanceId)
      .where('data', 'like', `%"id":"${id}"%`)
      .execute()
    const events = rows.map(({ type, data }) => {
      const [record] = Object.values(JSON.parse(data)) as Record<string, unknown>[]
      return { type, record: record ?? {} }
    })
    return events
      .filter(({ record }) => record['id'] === id)
      .toSorted((a, b) => Number(a.record['v']) - Number(b.record['v']))
  }

  return {
    deps,
    write,
    inDays,
    newAccount,
    newMethod,
    setMethod,
    newCharge,
    newContract,
    newRunning,
    contractRow,
    chargeRow,
    chargesOf,
    hold,
    settle,
    readCharge,
    putCharge,
    readContract,
    putContract,
    eventsOf,
  }
}
