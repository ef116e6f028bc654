import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { payNewLink } from '../../test/payer-client.ts'
import { removeAddresses } from './remove-addresses.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const DAY_MS = 86_400_000

it('network addresses and browsers are removed after thirty days, and not before', async () => {
  await payNewLink(app, CARDS.approve, { amount: '1.00' }, { account: { first_name: 'Ada' } })
  await deps.db.updateTable('checkouts').set({ network: '203.0.113.0/24' }).execute()
  await deps.db.updateTable('actor_sessions').set({ ip: '203.0.113.7' }).execute()
  const kept = async () => {
    const actors = await deps.db.selectFrom('actor_sessions').select(['ip', 'user_agent']).execute()
    const sessions = await deps.db.selectFrom('checkouts').select('network').execute()
    return [...actors.map(({ ip, user_agent }) => ip ?? user_agent), sessions[0]?.network]
  }
  app.pass(30 * DAY_MS)
  await removeAddresses(deps)
  expect(await kept()).not.toContain(null)
  app.pass(1000)
  await removeAddresses(deps)
  expect((await kept()).filter((value) => value !== null)).toEqual([])
  // A caller gets a session of its own again.
  expect(
    (await app.merchant.api('/accounts', { body: { account: { crm_key: 'a' } } })).status,
  ).toBe(200)
})
