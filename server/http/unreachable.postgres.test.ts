import { randomUUID } from 'node:crypto'
import { afterAll, expect, it, vi } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { newPlatform } from '../../test/oauth.ts'
import { type ApiResponse, startTestApp } from '../../test/app.ts'
import { openTestDatabase } from '../../test/database.ts'
import {
  cardToken,
  sandboxCharges,
  newLink,
  openPayerClient,
  readLink,
} from '../../test/payer-client.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'

/** What callers hear while PostgreSQL is down. */

const database = await openTestDatabase()
const wire = await startTcpProxy(database.url)
const app = await startTestApp({ DATABASE_URL: wire.url })
afterAll(() => wire.close())

function expectUnavailable(response: ApiResponse) {
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
}

it('a database that is down is 503 with Retry-After, and is not logged as a defect', async () => {
  const platform = await newPlatform(app)
  wire.cut()
  const read = await app.merchant.api('/accounts')
  expectUnavailable(read)
  expect(read.json.error.type).toBe('UNAVAILABLE')
  const flat = await app.merchant.api('/strings')
  expectUnavailable(flat)
  expect(flat.json.code).toBe('UNAVAILABLE')
  const token = await platform.token({ grant_type: 'refresh_token', refresh_token: 'x' })
  expectUnavailable(token)
  expect(token.json.error).toBe('temporarily_unavailable')
  wire.mend()
  expect((await app.merchant.api('/accounts')).status).toBe(200)
  expect(app.logged()).toContain('the database was not reached')
  expect(app.logged()).not.toContain('request failed')
})

it('a payment whose outcome could not be stored is 503, and is taken once', async () => {
  const link = await newLink(app.merchant)
  const payer = await openPayerClient(app, link.id)
  const submit = {
    attempt_key: randomUUID(),
    payment_method: {
      type: 'CARD',
      processor: 'sandbox',
      token: await cardToken(app, CARDS.approve),
    },
  }
  const { deps } = app.checkstand
  const failpoint = vi.spyOn(deps, 'failpoint').mockImplementation((name) => {
    if (name === 'processor-answered') wire.cut()
  })
  expectUnavailable(await payer.submit(submit))
  failpoint.mockRestore()
  wire.mend()
  app.pass(60_000)
  await vi.waitFor(async () => {
    const again = await payer.submit(submit)
    expect([again.status, (await sandboxCharges(app)).length]).toEqual([200, 1])
  })
  expect(await sandboxCharges(app)).toEqual([1250])
  expect((await readLink(app.merchant, link.id)).status).not.toBe('OPEN')
})
