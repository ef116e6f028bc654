import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import type { ApiResponse } from '../../test/client.ts'
import { countDeadlocks } from '../../test/deadlocks.ts'
import { newDeepLink } from '../../test/deep-links.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { cardToken, openPayerClientAt } from '../../test/payer-client.ts'
import { startPaymentsApp } from '../../test/payments-app.ts'
import { DAY_MS } from '../../test/payments-client.ts'
import { lockContract } from '../contracts/store.ts'
import { lockCharge } from '../charges/store.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockDeepLink } from '../deep-links/store.ts'

/**
 * The order in which transactions lock rows: account, the deep link of a task, contract, charges, method,
 * the deep link that is paid. PostgreSQL ends one of two transactions that wait for each other, so none
 * may hold a later row while it waits for an earlier one.
 */

const { app, deps, client } = await startPaymentsApp()
const { db } = deps
const { api } = app.merchant
const deadlocks = countDeadlocks(db)
const lockMethod = (tx: Tx, id: string) => lockRow(tx, 'payment_methods', id, 'update')

/** Holds a row until `act` waits for it, and locks a later row then, which `act` must not have. */
async function expectOrder(
  earlier: (tx: Tx) => Promise<unknown>,
  act: () => Promise<ApiResponse>,
  later: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { ending } = await inTransaction(db, async (tx) => {
    await earlier(tx)
    const started = await untilBlocked(db, act)
    await later(tx)
    return started
  })
  const { status, text } = await ending
  expect(status, text).toBe(200)
  expect(deadlocks()).toBe(0)
}

/** A customer who manages a contract whose charge was not paid yet. */
async function newCustomer() {
  const { account, method } = await client.storeCard()
  const { contract, charge } = await client.pay(undefined, {
    account,
    payment_method: method,
    amount: '9.00',
    due: '2040-01-01T00:00:00Z',
    recurring: { frequency: 'MONTH' },
  })
  const expires = new Date(app.now() + DAY_MS).toISOString()
  const allow = ['PAUSE', 'PAYMENT_METHOD']
  const task = { action: 'MANAGE_CONTRACT', account, contract, allow, expires }
  const { id } = (await api('/deep_links', { body: { deep_link: task } })).json.deep_link
  const opened = await app.call(`/go/${id}/sessions`, { body: {} })
  const headers = { authorization: `Bearer ${opened.json.token}` }
  const current = (path: string, body: object) =>
    app.call(`/go/sessions/current/${path}`, { headers, body })
  const token = await cardToken(app, CARDS.approve)
  const payment_method = { type: 'CARD', processor: 'sandbox', token }
  return {
    account,
    method,
    contract,
    charge,
    deepLink: id as string,
    saveAgain: () => current('payment_method', { attempt_key: randomUUID(), payment_method }),
    pause: () => current('contract', { change: 'PAUSE' }),
  }
}

it('a card that a customer saves again is locked after the contract', async () => {
  const { contract, method, saveAgain } = await newCustomer()
  const earlier = (tx: Tx) => lockContract(tx, contract)
  await expectOrder(earlier, saveAgain, (tx) => lockMethod(tx, method))
})

it('a card that a customer saves again is locked after the charges', async () => {
  const { charge, method, saveAgain } = await newCustomer()
  const earlier = (tx: Tx) => lockCharge(tx, charge)
  await expectOrder(earlier, saveAgain, (tx) => lockMethod(tx, method))
})

it('a contract and its card are locked after the link of the task', async () => {
  for (const task of ['pause', 'saveAgain'] as const) {
    const { contract, method, deepLink, ...customer } = await newCustomer()
    const earlier = (tx: Tx) => lockDeepLink(tx, deepLink)
    await expectOrder(earlier, customer[task], async (tx) => {
      await lockContract(tx, contract)
      await lockMethod(tx, method)
    })
  }
})

it('the account of a customer who saves a card is locked before the link of the task', async () => {
  const { account, deepLink, saveAgain } = await newCustomer()
  const earlier = (tx: Tx) => lockRow(tx, 'accounts', account, 'update')
  await expectOrder(earlier, saveAgain, (tx) => lockDeepLink(tx, deepLink))
})

it('a deep link that is paid is locked after the account and the stored card', async () => {
  const { account, method } = await client.storeCard()
  const expires = new Date(app.now() + DAY_MS).toISOString()
  const { id } = await newDeepLink(app.merchant, { amount: '5.00', account }, { expires })
  for (const table of ['payment_methods', 'accounts'] as const) {
    const row = table === 'accounts' ? account : method
    const payer = await openPayerClientAt(app, `/go/${id}`)
    const pay = () => payer.submit({ payment_method: { id: method, csc: '123' } })
    const earlier = (tx: Tx) => lockRow(tx, table, row, 'update')
    await expectOrder(earlier, pay, (tx) => lockDeepLink(tx, id))
  }
})

it('a stored card that is charged by request is locked after the account and the charges', async () => {
  const { account, method } = await client.storeCard()
  const stored = { account, payment_method: method }
  const { charge } = await client.pay(undefined, { ...stored, due: '2040-01-01T00:00:00Z' })
  const parts = [{ charge, amount: '1.00' }]
  const pay = () => client.send({ ...stored, amount: '1.00', currency: 'EUR', parts })
  for (const earlier of [
    (tx: Tx) => lockCharge(tx, charge),
    (tx: Tx) => lockRow(tx, 'accounts', account, 'update'),
  ]) {
    await expectOrder(earlier, pay, (tx) => lockMethod(tx, method))
  }
})
