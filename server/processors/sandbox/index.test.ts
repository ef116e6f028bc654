import {
  describeProcessor,
  type MethodScenario,
} from '../../../test/processor-conformance/suite.ts'
import { TEST_CARDS } from './test-cards.ts'
import { openTestSandbox, SETTLE_MS } from '../../../test/sandbox-processor.ts'

const CARDS: Readonly<Record<MethodScenario, string>> = {
  APPROVE: '4242424242424242',
  DECLINE: '4000000000000002',
  CHALLENGE: '4000000000003220',
  PENDING_THEN_SUCCESS: '4000000000000077',
  PENDING_THEN_FAILURE: '4000000000000259',
  TAKEN_WITHOUT_ANSWER: '4000000000000119',
  LOST_WITHOUT_ANSWER: '4000000000000143',
}

describeProcessor('sandbox', async () => {
  const test = await openTestSandbox()
  return {
    processor: test.sandbox,
    method: async (scenario) => ({
      kind: 'NEW',
      type: 'CARD',
      token: await test.token(CARDS[scenario]),
    }),
    settle: async () => test.pass(SETTLE_MS),
    async confirm(url, choice) {
      await test.sandbox.gateway.choose(url.slice(url.lastIndexOf('/') + 1), choice)
    },
    // Three digits turn up in any fingerprint by chance; as a value of their own they do not.
    secrets: [...Object.keys(TEST_CARDS), '"918"'],
    close: test.close,
  }
})
