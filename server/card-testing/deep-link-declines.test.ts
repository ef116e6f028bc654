import { expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newDeepLink } from '../../test/deep-links.ts'
import { openPayerClientAt } from '../../test/payer-client.ts'

/** Declines of the payers of a deep link, each of whom pays a link of their own. */

const app = await startTestApp()

it('thirty declines on a deep link pause only networks with a decline, for fifteen minutes', async () => {
  const { url } = await newDeepLink(app.merchant)
  const pay = async (network: number, card: string) => {
    const from: TestApp = {
      ...app,
      call: (path, call = {}) => app.call(path, { from: `${network}.1.1.7`, ...call }),
    }
    return (await openPayerClientAt(from, new URL(url).pathname)).payByCard(card)
  }
  // Far apart and few of each, so that no network reaches a limit of its own.
  for (let n = 0; n < 30; n += 1) {
    const { json, text } = await pay(20 + (n % 10), CARDS.decline)
    expect(json.outcome, text).toBe('DECLINED')
  }
  const paused = await pay(20, CARDS.approve)
  expect([paused.status, paused.headers.get('retry-after')]).toEqual([429, '900'])
  expect((await pay(90, CARDS.approve)).json.outcome).toBe('COMPLETED')
  app.pass(15 * 60_000)
  expect((await pay(20, CARDS.approve)).json.outcome).toBe('COMPLETED')
})
