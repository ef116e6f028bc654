import { cardNumberFor } from '../../../test/cards.ts'
import { describeProcessor } from '../../../test/processor-conformance/suite.ts'
import { TEST_CARDS } from './test-cards.ts'
import { openTestSandbox, SETTLE_MS } from '../../../test/sandbox-processor.ts'

describeProcessor('sandbox', async () => {
  const test = await openTestSandbox()
  return {
    processor: test.sandbox,
    method: async (scenario) => ({
      kind: 'NEW',
      type: 'CARD',
      token: await test.token(cardNumberFor(scenario)),
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
