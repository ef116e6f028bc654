import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MethodSetupRow } from '../../server/db/tables/method-setups.ts'
import { setUpMethod } from '../../server/method-setups/set-up.ts'
import { syncDueSetups } from '../../server/method-setups/sync.ts'
import { forgetDue } from '../../server/payment-methods/forget.ts'
import { newStripeAdapter } from '../stripe-fake/faulty.ts'
import { moneyOf, NO_MONEY } from '../stripe-fake/money.ts'
import type { Fault } from '../stripe-fake/faults.ts'
import { startStripeApp, STRIPE_CARDS } from '../stripe-fake/stripe-app.ts'

/** Whatever goes wrong while a method is saved without a payment, Stripe keeps what the records have. */

const { app, fake, deps, shop } = await startStripeApp()
const { api, merchant, connection, newAccount, client } = shop
const HOUR_MS = 3_600_000

const CALLS = {
  create: 'POST /v1/setup_intents',
  confirm: 'POST /v1/setup_intents/{intent}/confirm',
  read: 'GET /v1/setup_intents/{intent}',
  cancel: 'POST /v1/setup_intents/{intent}/cancel',
} as const

async function setUp(account: string, token: string, type = 'CARD', sessionId = randomUUID()) {
  return setUpMethod(deps, {
    instanceId: merchant.instance.id,
    accountId: account,
    sessionId,
    attemptKey: randomUUID(),
    requestHash: '',
    page: '/go/tea',
    processor: connection,
    method: { kind: 'NEW', type, token },
    consent: { text: 'Save it.', language: 'en' },
    client: { ip: '203.0.113.7' },
    description: 'Tea club',
  })
}

/** Lets the job run until the set-up has an outcome, and the processor forget what is not wanted. */
async function settled({ id }: MethodSetupRow): Promise<MethodSetupRow> {
  for (let round = 0; round < 6; round += 1) {
    app.pass(HOUR_MS)
    await syncDueSetups(deps)
    await forgetDue(deps)
  }
  return deps.db
    .selectFrom('method_setups')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

const methodsOf = async (account: string) =>
  (await api(`/payment_methods?criteria=account=${account}`)).json.payment_methods
const attached = () => [...fake.account.methods.values()].filter(({ customer }) => customer).length

it.each(['DIRECT_DEBIT', 'CARD'])('keeps a %s that can be charged later', async (type) => {
  const account = await newAccount()
  const token =
    type === 'CARD' ? fake.card(STRIPE_CARDS.setUpOnce) : fake.debit('AT611904300234573201')
  const setup = await setUp(account, token, type)
  if (type === 'CARD') fake.confirm(setup.action_url as string, 'approve')
  expect(await settled(setup)).toMatchObject({ state: 'DONE', status: 'SUCCESS' })
  const [method] = await methodsOf(account)
  expect(method).toMatchObject({ type, gateway: connection })
  expect(moneyOf(fake)).toEqual(NO_MONEY)
  if (type === 'CARD') {
    const payment = { amount: '5.00', account, payment_method: method.id }
    expect((await client.pay(undefined, payment)).status).toBe('SUCCESS')
  }
})

it('keeps the next method of an account at the same customer', async () => {
  const account = await newAccount()
  await setUp(account, fake.card(STRIPE_CARDS.approve))
  const customers = fake.account.customers.size
  await setUp(account, fake.card(STRIPE_CARDS.mastercard))
  expect(fake.account.customers.size).toBe(customers)
  expect(await methodsOf(account)).toHaveLength(2)
})

const FAULTS: [keyof typeof CALLS, Fault, 'SUCCESS' | 'DECLINE'][] = [
  ['create', 'LOST_AFTER', 'DECLINE'],
  ['create', '500_BEFORE', 'DECLINE'],
  ['create', 'FORBIDDEN', 'DECLINE'],
  ['create', 'OTHER_PAYMENT', 'DECLINE'],
  ['confirm', 'LOST_AFTER', 'SUCCESS'],
  ['confirm', '500_AFTER', 'SUCCESS'],
  ['confirm', 'LOST_BEFORE', 'DECLINE'],
  ['confirm', 'WRONG_MODE', 'SUCCESS'],
  ['confirm', 'UNKNOWN_STATUS', 'SUCCESS'],
]
/** In place of the connection's adapter: it does not wait before it sends a request again. */
describe('with faults', () => {
  const { builtIn } = deps.processors
  beforeAll(() => {
    builtIn.set(connection, newStripeAdapter(app, fake, { id: connection, now: app.now }))
  })
  afterAll(() => builtIn.delete(connection))

  it.each(FAULTS)('ends in one outcome after %s met %s: %s', async (call, fault, status) => {
    const account = await newAccount()
    const before = attached()
    fake.fault(CALLS[call], fault, 3)
    const setup = await setUp(account, fake.card(STRIPE_CARDS.approve))
    fake.clearFaults()
    expect(await settled(setup)).toMatchObject({ state: 'DONE', status, next_check: null })
    expect(await methodsOf(account)).toHaveLength(status === 'SUCCESS' ? 1 : 0)
    expect(attached() - before).toBe(status === 'SUCCESS' ? 1 : 0)
  })

  it('does not decline while a failed set-up cannot be canceled', async () => {
    const account = await newAccount()
    fake.fault(CALLS.cancel, 'LOST_BEFORE', 3)
    const setup = await setUp(account, fake.card(STRIPE_CARDS.insufficient))
    expect(setup.state).toBe('UNRESOLVED')
    expect(await settled(setup)).toMatchObject({
      status: 'DECLINE',
      message_id: 'errors.insufficient_funds',
    })
  })

  it('forgets at Stripe what was saved after the payer had tried again', async () => {
    const account = await newAccount()
    const session = randomUUID()
    const before = attached()
    fake.fault(CALLS.confirm, 'LOST_AFTER', 3)
    const lost = await setUp(account, fake.card(STRIPE_CARDS.approve), 'CARD', session)
    await setUp(account, fake.card(STRIPE_CARDS.mastercard), 'CARD', session)
    expect(await settled(lost)).toMatchObject({ status: 'DECLINE' })
    await forgetDue(deps)
    expect(attached() - before).toBe(1)
    expect(await methodsOf(account)).toMatchObject([{ card: { brand: 'mastercard' } }])
  })
})
