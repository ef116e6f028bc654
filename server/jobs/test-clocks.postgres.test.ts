import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATED } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { type Client, createHttpClient, type MerchantClient } from '../../test/client.ts'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { isDeep } from '../../test/depth.ts'
import { DAY_MS, type Json } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'
import { type Program, startProgram, until } from '../../test/program.ts'

/** Two processes of the real program that follow the clock of one instance. */

// In `npm test`, test-clocks.test.ts shows the same of one process.
describe.runIf(isDeep)('two processes with one test clock', () => {
  let database: TestDatabase
  let programs: Program[]
  let clients: (Client & MerchantClient)[]

  beforeAll(async () => {
    database = await openTestDatabase(MIGRATED)
    // The first one makes the instance.
    programs = [await startProgram(database.url)]
    programs.push(await startProgram(database.url))
    clients = programs.map(({ base }) => createHttpClient(base))
  })
  afterAll(async () => {
    for (const program of programs) program.process.kill('SIGKILL')
    await Promise.all(programs.map(({ ended }) => ended))
    await database.drop()
  })

  async function ask(at: number, path: string, body?: unknown): Promise<Json> {
    const { status, json, text } = await clients[at]!.api(path, { body })
    expect(status, text).toBe(200)
    return json
  }

  it('both processes see the new time at once, and one of them runs the due work', async () => {
    const token = await cardToken(clients[0]!, CARDS.approve)
    const { payment } = await ask(0, '/payments', {
      payment: {
        amount: '10.00',
        currency: 'EUR',
        account: { crm_key: 'subscriber' },
        payment_method: { token, save: true },
        recurring: { frequency: 'DAY' },
      },
    })
    const begun = Date.now()
    await ask(1, '/sandbox/clock', { clock: { advance: 'P40D' } })
    const arrived = async () => (await ask(0, '/sandbox/clock')).clock.target === null
    await until('the clock to arrive', arrived)
    for (const at of [0, 1, 0, 1]) {
      const { clock } = await ask(at, '/sandbox/clock')
      expect(Date.parse(clock.now) - begun).toBeGreaterThanOrEqual(40 * DAY_MS)
    }
    const criteria = `criteria=contract=${payment.contract}&order=due&limit=100`
    const { charges } = await ask(1, `/charges?${criteria}`)
    expect(charges).toHaveLength(41)
    for (const [n, charge] of charges.entries()) {
      expect(charge.status, `charge ${n}`).toBe('PAID')
      if (n > 0) expect(Date.parse(charge.due) - Date.parse(charges[n - 1].due)).toBe(DAY_MS)
      // Each is made when it is due, and not when the clock has arrived.
      if (n > 0) expect(Date.parse(charge.created) - Date.parse(charge.due)).toBeLessThan(DAY_MS)
    }
    const { payments } = await ask(0, '/payments?limit=100')
    expect(payments).toHaveLength(41)
  })
})
