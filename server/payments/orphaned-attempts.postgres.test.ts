import { sql } from 'kysely'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPresence, listAbsentOwners } from '../db/presence.ts'
import { createLog } from '../observe/log.ts'
import { CARDS } from '../../test/cards.ts'
import { startPaymentsApp } from '../../test/payments-app.ts'
import { type Json, createGate, chargedDuring } from '../../test/payments-client.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { SEARCH_INTERVAL_MS, createOrphanSearch } from './orphaned-attempts.ts'
import { reconcileDue } from './reconcile.ts'

const { app, deps, client, bend } = await startPaymentsApp()
const presence = await createPresence(deps.config.databaseUrl, createLog('silent'))
afterAll(() => presence.close())

/** A call that is under way, of the process with that number. */
async function callOf(owner: string | null): Promise<string> {
  const { id } = await newLink(app.merchant)
  await (await openPayerClient(app, id)).payByCard(CARDS.approve)
  const attempt = await deps.db
    .selectFrom('attempts')
    .select('id')
    .where('payment_link_id', '=', id)
    .executeTakeFirstOrThrow()
  await deps.db
    .updateTable('attempts')
    .set({ state: 'SENT', next_check: IN_HALF_A_MINUTE, owner })
    .where('id', '=', attempt.id)
    .execute()
  // The next test has calls of its own only.
  onTestFinished(async () => {
    await deps.db
      .updateTable('attempts')
      .set({ state: 'DONE', next_check: null })
      .where('id', '=', attempt.id)
      .execute()
  })
  return attempt.id
}

const IN_HALF_A_MINUTE = new Date(app.now() + 30_000).toISOString()
const checkOf = async (id: string) =>
  (
    await deps.db
      .selectFrom('attempts')
      .select('next_check')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).next_check

const held = () => expect.poll(() => presence.owner(), { timeout: 20_000 }).not.toBeNull()

/** A search with a clock that each look moves on, and how many calls its looks have found. */
function newSearch(owner: string | null = null) {
  let elapsed = 0
  const search = createOrphanSearch(() => (elapsed += SEARCH_INTERVAL_MS))
  return async (looks: number): Promise<number[]> => {
    const found = []
    for (let look = 0; look < looks; look += 1)
      found.push(await search({ ...deps, owner: () => owner }))
    return found
  }
}

describe('a call that is under way', () => {
  it('of a process that is gone for three seconds is queried at once', async () => {
    const [lost, unknown] = [await callOf('7'), await callOf(null)]
    const search = newSearch()
    expect(await search(3)).toEqual([0, 0, 0])
    expect(await checkOf(lost)).toBe(IN_HALF_A_MINUTE)
    expect(await search(1)).toEqual([1])
    expect(await checkOf(lost)).toBe(new Date(app.now()).toISOString())
    expect(await checkOf(unknown)).toBe(IN_HALF_A_MINUTE)
    expect(await search(1)).toEqual([0])
  })

  it('of a live process is not queried', async () => {
    await held()
    const call = await callOf(presence.owner())
    expect(await newSearch()(5)).toEqual([0, 0, 0, 0, 0])
    expect(await checkOf(call)).toBe(IN_HALF_A_MINUTE)
  })

  it('of a process that returned in between is not queried', async () => {
    await held()
    const other = await createPresence(deps.config.databaseUrl, createLog('silent'))
    await expect.poll(() => other.owner(), { timeout: 20_000 }).not.toBeNull()
    const call = await callOf('8')
    const search = newSearch()
    const ownedBy = (owner: string | null) =>
      deps.db.updateTable('attempts').set({ owner }).where('id', '=', call).execute()
    expect(await search(3)).toEqual([0, 0, 0])
    await ownedBy(other.owner())
    expect(await search(1)).toEqual([0])
    await ownedBy('8')
    expect(await search(1)).toEqual([0])
    await ownedBy(other.owner())
    await other.close()
    expect(await listAbsentOwners(deps.db)).toHaveLength(1)
  })

  it('of the reconciling process is not queried, even if it has lost its lock', async () => {
    const call = await callOf('9')
    let owner: string | null = '9'
    let elapsed = 0
    const search = createOrphanSearch(() => (elapsed += SEARCH_INTERVAL_MS))
    for (let look = 0; look < 5; look += 1) {
      await search({ ...deps, owner: () => owner })
      owner = null
    }
    expect(await checkOf(call)).toBe(IN_HALF_A_MINUTE)
  })
})

describe('a live process that is presumed dead during a call', () => {
  /** Another process asks about the call of number 5. Returns what it then holds the payment for. */
  async function takenOver(): Promise<string> {
    const { payment_id: id } = await deps.db
      .selectFrom('attempts')
      .select('payment_id')
      .where('owner', '=', '5')
      .where('state', '=', 'SENT')
      .executeTakeFirstOrThrow()
    expect(await newSearch()(4)).toEqual([0, 0, 0, 1])
    await reconcileDue(deps)
    return (await client.read(id)).status
  }

  /** A payment that is made by the process with number 5. */
  function payment(card: string): Promise<Json> {
    const { owner } = deps
    deps.owner = () => '5'
    onTestFinished(() => {
      deps.owner = owner
    })
    return client.pay(card)
  }

  it('has its payment declined before the call arrives, and the call charges nothing', async () => {
    const [begun, go] = [createGate(), createGate()]
    bend('pay', async (ask) => {
      begun.open()
      await go.passed
      return ask()
    })
    const charged = await chargedDuring(app, async () => {
      const paying = payment(CARDS.approve)
      await begun.passed
      expect(await takenOver()).toBe('DECLINE')
      go.open()
      expect((await paying).status).toBe('DECLINE')
      // The payer tries again, which is another operation.
      expect((await client.pay(CARDS.approve)).status).toBe('SUCCESS')
    })
    expect(charged).toEqual([1000])
    expect(app.logged()).not.toContain('approved by its processor after it had been declined')
  })

  it('has its payment recorded as paid once after the charge', async () => {
    const [begun, go] = [createGate(), createGate()]
    bend('pay', async (ask) => {
      const response = await ask()
      begun.open()
      await go.passed
      return response
    })
    const charged = await chargedDuring(app, async () => {
      const paying = payment(CARDS.approve)
      await begun.passed
      expect(await takenOver()).toBe('SUCCESS')
      go.open()
      expect((await paying).status).toBe('SUCCESS')
    })
    expect(charged).toEqual([1000])
  })

  it('gets one outcome, the real one, while the call arrives', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [begun, go] = [createGate(), createGate()]
      bend('pay', async (ask) => {
        begun.open()
        await go.passed
        return ask()
      })
      bend('query', async (ask) => {
        const response = await ask()
        go.open()
        return response
      })
      let status: Json
      const charged = await chargedDuring(app, async () => {
        const paying = payment(CARDS.approve)
        await begun.passed
        const held = await takenOver()
        ;({ status } = await paying)
        expect(held).toBe(status)
      })
      expect([status, charged]).toEqual(
        status === 'SUCCESS' ? ['SUCCESS', [1000]] : ['DECLINE', []],
      )
    }
  })
})

it('a process whose connection broke gets the same number again', async () => {
  await held()
  const before = presence.owner()
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'checkstand presence' and datname = current_database()
  `.execute(deps.db)
  await expect.poll(() => presence.owner(), { timeout: 20_000, interval: 1 }).toBeNull()
  await held()
  expect(presence.owner()).toBe(before)
})

it('a process whose database stops responding has no number until it holds the lock again', async () => {
  const wire = await startTcpProxy(deps.config.databaseUrl)
  const silenced = await createPresence(wire.url, createLog('silent'))
  onTestFinished(async () => {
    await silenced.close()
    wire.close()
  })
  await expect.poll(() => silenced.owner(), { timeout: 20_000 }).not.toBeNull()
  const before = silenced.owner()
  wire.silence()
  await expect.poll(() => silenced.owner(), { timeout: 30_000 }).toBeNull()
  // Until then PostgreSQL holds the former connection for alive, and the number is taken.
  wire.cut()
  wire.mend()
  await expect.poll(() => silenced.owner(), { timeout: 30_000 }).toBe(before)
})
