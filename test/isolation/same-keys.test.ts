import { describe, expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { MERCHANT_AIMS } from './merchant-aims.ts'
import { KEYS, createTarget, watch } from './two-tenants.ts'
import { makeTenant } from './tenant.ts'

/**
 * Two merchants may call everything the same: instance, accounts, payments, brandings, references
 * and requests. Each then means its own, and nothing that one does is done to the other.
 */

/** One test sends a hundred requests. */
const SLOW = { timeout: 30_000 }

const app = await startTestApp()
const { target } = await createTarget(app)

/** Time passes in this test, and a stream encrypts its place anew each time. */
const NEVER_THE_SAME = ['GET /sandbox/clock', 'GET /events/stream']

const reads = Object.entries(MERCHANT_AIMS).flatMap(([operation, aims]) =>
  operation.startsWith('GET ') && !NEVER_THE_SAME.includes(operation)
    ? aims(target.names, target.names)
    : [],
)
const readAll = () =>
  Promise.all(reads.map(async ({ path }) => [path, (await target.merchant.api(path)).text]))
const before = await readAll()

// The twin's records are newer: a query without a tenant would find them first.
app.pass(1000)
const twin = await makeTenant(app, await app.newMerchant({ key: target.merchant.instance.key }), {
  secret: 'twin',
  keys: KEYS,
})
const { leaks, rows } = await watch(app, target, twin)
const untouched = await rows()

describe('a merchant with the same keys', SLOW, () => {
  it('takes nothing away from what the first one reads', async () => {
    expect(await readAll()).toEqual(before)
  })

  it.each(Object.keys(MERCHANT_AIMS))('reaches its own records alone by %s', async (operation) => {
    for (const aim of MERCHANT_AIMS[operation]?.(twin.names, twin.names) ?? []) {
      const response = await twin.merchant.api(aim.path, aim)
      expect(response.status, response.text).toBeLessThan(500)
      expect(leaks(response, aim), JSON.stringify(aim)).toEqual([])
    }
    expect(await rows()).toEqual(untouched)
  })

  it('drops its own branding, and the wording of no other', async () => {
    const { api, instance } = twin.merchant
    const drop = { instance: { brandings: [] } }
    const path = `/instances/${instance.key}`
    const refused = await api(path, { method: 'PUT', body: drop })
    expect([refused.status, leaks(refused)]).toEqual([400, []])
    expect((await api(path, { method: 'PUT', body: { ...drop, force: true } })).status).toBe(200)
    expect(await rows()).toEqual(untouched)
  })
})
