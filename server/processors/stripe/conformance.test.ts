import { afterAll, expect } from 'vitest'
import type { MethodScenario } from '../../../test/processor-conformance/processor-under-test.ts'
import { describeProcessor } from '../../../test/processor-conformance/suite.ts'
import { startTestApp } from '../../../test/app.ts'
import { connectStripe } from '../../../test/stripe-fake/connect.ts'
import { newStripeAdapter } from '../../../test/stripe-fake/faulty.ts'
import { stripeEnvironment } from '../../../test/stripe-fake/environment.ts'
import { moneyOf } from '../../../test/stripe-fake/money.ts'
import { startStripeFake } from '../../../test/stripe-fake/start.ts'

const NUMBERS: Partial<Record<MethodScenario, string>> = {
  APPROVE: '4242424242424242',
  DECLINE: '4000000000009995',
  CHALLENGE: '4000002500003155',
  TAKEN_WITHOUT_ANSWER: '4242424242424242',
  LOST_WITHOUT_ANSWER: '4242424242424242',
  PENDING_THEN_SUCCESS: '4000000000000077',
  PENDING_THEN_FAILURE: '4000000000000085',
}

const fake = await startStripeFake()
const app = await startTestApp(stripeEnvironment(fake))

describeProcessor('stripe', async () => {
  const { id } = await connectStripe(app, await app.newMerchant(), fake)
  const adapter = { id, now: app.now }
  return {
    processor: newStripeAdapter(app, fake, adapter),
    calls: {
      withJournal: (changeJournal) => newStripeAdapter(app, fake, { ...adapter, changeJournal }),
      taken: () => moneyOf(fake).taken.reduce((sum, amount) => sum + amount, 0),
      confirmable: () => moneyOf(fake).confirmable,
      requests: () => fake.requests.length,
    },
    async method(scenario, use) {
      const intents = use === 'SETUP' ? 'setup_intents' : 'payment_intents'
      const confirm = `POST /v1/${intents}/{intent}/confirm`
      if (scenario === 'TAKEN_WITHOUT_ANSWER') fake.fault(confirm, 'LOST_AFTER', 3)
      if (scenario === 'LOST_WITHOUT_ANSWER') fake.fault(confirm, 'LOST_BEFORE', 3)
      const number = NUMBERS[scenario]
      return number === undefined
        ? undefined
        : { kind: 'NEW', type: 'CARD', token: fake.card(number) }
    },
    settle: async () => fake.settle(),
    confirm: async (url, choice) => fake.confirm(url, choice),
    secrets: Object.values(NUMBERS),
  }
})

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})
