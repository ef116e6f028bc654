import { defineConfig } from 'vitest/config'

/** The tests that `npm run test:stripe` runs. They call Stripe, so they take seconds each. */
export default defineConfig({
  test: {
    include: ['scripts/stripe-account/*.test.ts'],
    env: { CHECKSTAND_TEST_DATABASE: 'sqlite' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
