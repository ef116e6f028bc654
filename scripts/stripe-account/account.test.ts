import { randomUUID } from 'node:crypto'
import { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import type { PaymentOperation, Processor } from '../../server/processors/port.ts'
import { createJournal } from '../../server/processors/journal.ts'
import { createStripe } from '../../server/processors/stripe/index.ts'
import { createLog } from '../../server/observe/log.ts'
import { startTestApp } from '../../test/app.ts'
import { approved } from '../../test/processor-conformance/follow-ups.ts'
import type { MethodScenario } from '../../test/processor-conformance/processor-under-test.ts'
import { describeProcessor } from '../../test/processor-conformance/suite.ts'
import { ABOUT_PAYMENT } from '../../test/processor-operation.ts'
import { connectStripe } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'

/**
 * What an account of Stripe in test mode does. The suite of processors has to pass; the tests below it
 * print what Stripe's documentation leaves open.
 */

const secretKey = process.env['STRIPE_TEST_KEY'] ?? ''
const apiUrl = process.env['STRIPE_API_URL'] ?? 'https://api.stripe.com'
const { protocol, hostname, port } = new URL(apiUrl)
const stripe = new Stripe(secretKey, {
  host: hostname,
  protocol: protocol === 'http:' ? 'http' : 'https',
  ...(port !== '' && { port: Number(port) }),
  telemetry: false,
})

/** Stripe's own methods for tests. Each read of one makes a new method. */
const METHODS: Partial<Record<MethodScenario, string>> = {
  APPROVE: 'pm_card_visa',
  DECLINE: 'pm_card_chargeDeclined',
  CHALLENGE: 'pm_card_authenticationRequired',
}

const app = await startTestApp(stripeEnvironment({ url: apiUrl }))

async function newProcessor(settings: object = {}): Promise<Processor> {
  const keys = { secretKey, publishableKey: 'pk_test_unused' }
  const { id } = await connectStripe(app, await app.newMerchant(), keys, settings)
  return createStripe({
    id,
    test: true,
    publishableKey: keys.publishableKey,
    secretKey,
    webhookSecrets: () => [],
    settings,
    apiUrl,
    scriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    journal: createJournal(app.checkstand.deps.db, id, Date.now),
    now: Date.now,
    log: createLog('silent'),
    failpoint: () => {},
    onAuthentication: async () => {},
  })
}

const newMethod = async (id: string) => (await stripe.paymentMethods.retrieve(id)).id

describeProcessor('stripe', async () => ({
  processor: await newProcessor(),
  async method(scenario) {
    const id = METHODS[scenario]
    return id === undefined ? undefined : { kind: 'NEW', type: 'CARD', token: await newMethod(id) }
  },
  secrets: ['4242424242424242', '4000000000000002'],
}))

const found = (question: string, answer: unknown) =>
  process.stdout.write(`\n${question}\n  ${JSON.stringify(answer)}\n`)

const order = (
  method: PaymentOperation['method'],
  given: Partial<PaymentOperation> = {},
): PaymentOperation => ({
  ...ABOUT_PAYMENT,
  operation: randomUUID(),
  merchant: 'ins_1',
  amount: 1050,
  currency: 'EUR',
  method,
  store: false,
  return_url: 'https://shop.example/return',
  ...given,
})

const card = async (id: string) =>
  ({ kind: 'NEW', type: 'CARD', token: await newMethod(id) }) as const

describe('what the documentation leaves open', () => {
  it('whether a canceled intent keeps the reason of its failure', async () => {
    const processor = await newProcessor()
    const declined = await processor.pay(order(await card('pm_card_chargeDeclined')))
    expect(declined).toMatchObject({ status: 'DECLINED', reference: expect.any(String) })
    const { reference } = declined as { reference: string }
    const { status, last_payment_error } = await stripe.paymentIntents.retrieve(reference)
    expect(status).toBe('canceled')
    found('last_payment_error after the cancel', last_payment_error?.decline_code ?? null)
  })

  it('whether a token of the security code is taken at the confirmation', async () => {
    const processor = await newProcessor()
    const first = order(await card('pm_card_visa'), { store: true })
    const { stored } = approved(await processor.pay(first))
    const cvc = await stripe.tokens
      .create({ cvc_update: { cvc: '123' } })
      .catch((error: Error) => error.message)
    if (typeof cvc === 'string') return found('a token of a security code', cvc)
    const token = stored?.token ?? ''
    const again = { kind: 'STORED', type: 'CARD', token, csc_token: cvc.id } as const
    const response = await processor.pay(order(again))
    found('a saved card with a token of its security code', response)
    expect(['APPROVED', 'ERROR', 'DECLINED']).toContain(response.status)
  })

  it('what becomes of a direct debit, and of canceling it', async () => {
    const processor = await newProcessor({ methods: ['CARD', 'DIRECT_DEBIT'] })
    const { id } = await stripe.paymentMethods.create({
      type: 'sepa_debit',
      sepa_debit: { iban: 'AT611904300234573201' },
      billing_details: { name: 'Ada Lovelace', email: 'ada@example.com' },
    })
    const debit = order({ kind: 'NEW', type: 'DIRECT_DEBIT', token: id })
    const response = await processor.pay(debit)
    const canceled = await processor.cancel(debit.operation)
    found('a direct debit, and its cancellation', [response, canceled])
    expect(['PENDING', 'ERROR']).toContain(response.status)
  })

  it('which events a refund has', async () => {
    const processor = await newProcessor()
    const { reference } = approved(await processor.pay(order(await card('pm_card_visa'))))
    const { signal } = new AbortController()
    const refund = { operation: randomUUID(), reference, amount: 1050, currency: 'EUR', signal }
    approved(await processor.refund(refund))
    const { data } = await stripe.events.list({ limit: 20 })
    const types = data.map(({ type }) => type).filter((type) => /refund/.test(type))
    expect(types).not.toEqual([])
    found('events of a refund', [...new Set(types)])
  })

  it.todo('whether Stripe.js needs more than the policy of the page: open a payment page')
  it.todo(
    'whether banks let their pages be framed: pay with 4000 0027 6000 3184 in an embedded page',
  )
  it.todo('what a wallet behind a card looks like: pay with a wallet')
})
