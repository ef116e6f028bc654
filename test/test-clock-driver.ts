import { expect } from 'vitest'
import type { TestClock } from '../shared/schemas/test-clock.ts'
import type { Merchant, TestApp } from './app.ts'
import { runTestClocks } from '../server/jobs/test-clocks.ts'

/** Rounds within which every clock of a test arrives. */
const ROUNDS_MAX = 50

/** Moves the clock of a merchant's instance and waits until it is there, as a merchant does. */
export async function moveClock(
  app: TestApp,
  move: { now?: string; advance?: string },
  merchant: Merchant = app.merchant,
): Promise<TestClock> {
  const response = await merchant.api('/sandbox/clock', { body: { clock: move } })
  expect(response.status, response.text).toBe(200)
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { json } = await merchant.api('/sandbox/clock')
    if (json.clock.target === null) return json.clock as TestClock
    await runTestClocks(app.checkstand.deps)
  }
  throw new Error('the clock did not arrive')
}
