import { describe, expect, it } from 'vitest'
import { afterEachRead } from '../../test/after-each-read.ts'
import { CARDS } from '../../test/cards.ts'
import { DECLINED, DOWN, NOTHING_OPEN, refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  stubCapabilities,
  sandboxRecord,
  type Json,
  errorSummary,
} from '../../test/payments-client.ts'
import { reconcileDue } from './reconcile.ts'
import { voidRemainder } from './void-remainder.ts'
import { settleAttempt } from './settle.ts'

/** What a capture leaves of its authorization. */

const { app, deps, api, client, later, bend, captured, attemptOf } = await startPaymentsApp()

const amounts = async (id: string) => {
  const { captured_amount, open_amount } = await client.read(id)
  return [captured_amount, open_amount]
}
const books = async ({ gateway_reference }: Json) => {
  const { captured: taken, released, voids } = await sandboxRecord(app, gateway_reference)
  return { captured: taken, released, voids }
}
const LET_GO = { captured: 3_000, released: 7_000, voids: 7_000 }

describe('the final capture', () => {
  it('releases the rest, here and at the processor', async () => {
    const auth = await client.authorise()
    await captured(auth.id, { amount: '30.00', final: true })
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(await books(auth)).toEqual(LET_GO)
    expect((await api(`/voids?criteria=payment=${auth.id}`)).json.voids).toMatchObject([
      { status: 'SUCCESS', amount: '70.00' },
    ])
    expect((await client.read(auth.id)).status).toBe('SUCCESS')
  })

  it('of the whole amount has no rest to release', async () => {
    const auth = await client.authorise()
    await captured(auth.id, { final: true })
    expect((await api(`/voids?criteria=payment=${auth.id}`)).json.meta.total).toBe(0)
  })

  it('that is declined releases nothing', async () => {
    const auth = await client.authorise()
    bend('capture', DECLINED)
    expect(await captured(auth.id, { amount: '30.00', final: true })).toMatchObject({
      status: 'DECLINE',
      gateway_message: 'No',
    })
    expect(await amounts(auth.id)).toEqual(['0.00', '100.00'])
  })

  it('releases the rest when its outcome comes later', async () => {
    const auth = await client.authorise()
    bend('capture', 'ANSWER LOST')
    expect((await captured(auth.id, { amount: '30.00', final: true })).status).toBe('UNRESOLVED')
    await later(5_000)
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(await books(auth)).toEqual(LET_GO)
  })
})

describe('the rest of a final capture', () => {
  const voidsOf = async (id: string): Promise<string[]> =>
    (await api(`/voids?criteria=payment=${id}&order=created`)).json.voids.map(
      ({ status }: Json) => status,
    )
  /**
   * All but those that failed. How many failed depends on which is seen to first in one round: the
   * capture with a rest to release, or the void that has not released it.
   */
  const voidsThatMayCount = async (id: string) =>
    (await voidsOf(id)).filter((status) => status !== 'DECLINED')
  /** How many operations on an authorization are open. */
  const openChecks = async (auth: string) => {
    const rows = await deps.db
      .selectFrom('attempts')
      .innerJoin('payments', 'payments.id', 'attempts.payment_id')
      .select('attempts.id')
      .where((eb) => eb.or([eb('payments.id', '=', auth), eb('authorisation_id', '=', auth)]))
      .where('next_check', 'is not', null)
      .execute()
    return rows.length
  }

  it('is released by another process when one ends between the capture and the void', async () => {
    const auth = await client.authorise()
    bend('capture', 'ANSWER LOST')
    const capture = await captured(auth.id, { amount: '30.00', final: true })
    const attempt = await attemptOf(capture.id, 'CAPTURE')
    // What is committed of the capture; what would follow never runs.
    const response = { status: 'APPROVED', reference: 'late' } as const
    await settleAttempt(deps, attempt.id, response)
    expect(await amounts(auth.id)).toEqual(['30.00', '70.00'])
    await later(60_000)
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(await books(auth)).toEqual(LET_GO)
    expect(await openChecks(auth.id)).toBe(0)
  })

  it('is released once when the first call never reached the processor', async () => {
    const auth = await client.authorise()
    const mend = bend('void', 'REQUEST LOST')
    const capture = await captured(auth.id, { amount: '30.00', final: true })
    expect(capture.status).toBe('SUCCESS')
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    await later(5_000)
    expect((await books(auth)).voids).toBe(0)
    mend()
    for (let round = 0; round < 3; round += 1) await later(600_000)
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(await voidsThatMayCount(auth.id)).toEqual(['SUCCESS'])
    expect(await books(auth)).toEqual(LET_GO)
    expect(await openChecks(auth.id)).toBe(0)
  })

  it('is released once when only the response was lost', async () => {
    const auth = await client.authorise()
    bend('void', 'ANSWER LOST')
    await captured(auth.id, { amount: '30.00', final: true })
    for (let round = 0; round < 3; round += 1) await later(600_000)
    expect(await voidsOf(auth.id)).toEqual(['SUCCESS'])
    expect(await books(auth)).toEqual(LET_GO)
    expect(await openChecks(auth.id)).toBe(0)
  })

  it('is released once by concurrent processes', async () => {
    const auth = await client.authorise()
    const mend = bend('void', 'REQUEST LOST')
    await captured(auth.id, { amount: '30.00', final: true })
    await later(5_000)
    mend()
    app.pass(600_000)
    await Promise.all([reconcileDue(deps), reconcileDue(deps), reconcileDue(deps)])
    await later(600_000)
    expect(await voidsThatMayCount(auth.id)).toEqual(['SUCCESS'])
    expect(await books(auth)).toEqual(LET_GO)
  })

  it('is released after an earlier void turns out to have failed', async () => {
    let reads = 1
    for (let moment = 1; moment <= reads; moment += 1) {
      const auth = await client.authorise()
      const mend = bend('void', 'REQUEST LOST')
      const { id } = await captured(auth.id, { amount: '30.00', final: true })
      mend()
      const capture = await attemptOf(id, 'CAPTURE')
      const earlier = await attemptOf(auth.id, 'VOID')
      reads = 0
      const watched = afterEachRead(deps.db, async () => {
        reads += 1
        if (reads === moment) await settleAttempt(deps, earlier.id, DECLINED)
      })
      await voidRemainder({ ...deps, db: watched }, capture)
      for (let round = 0; round < 2; round += 1) await later(600_000)
      expect(await books(auth), `after read ${moment}`).toEqual(LET_GO)
    }
    expect(reads).toBeGreaterThan(2)
  })

  it('is released after an earlier capture turns out to have failed', async () => {
    const auth = await client.authorise()
    const restore = bend('capture', 'REQUEST LOST')
    expect((await captured(auth.id, { amount: '70.00' })).status).toBe('UNRESOLVED')
    restore()
    await captured(auth.id, { amount: '30.00', final: true })
    expect(await amounts(auth.id)).toEqual(['100.00', '0.00'])
    for (let round = 0; round < 3; round += 1) await later(600_000)
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(await books(auth)).toEqual(LET_GO)
    expect(await openChecks(auth.id)).toBe(0)
  })

  it('needs an operator after three days of retries', async () => {
    const auth = await client.authorise()
    bend('void', 'REQUEST LOST')
    const { id } = await captured(auth.id, { amount: '30.00', final: true })
    for (let hours = 0; hours < 80; hours += 1) {
      await later(3_000_000)
      await later(600_000)
    }
    expect(await openChecks(auth.id)).toBe(0)
    expect(app.logged()).toContain(
      `"capture":"${id}","msg":"remainder of a final capture is not voided after three days"`,
    )
  })
})

describe('a processor that captures once', () => {
  it('has nothing open after a partial capture, because the processor releases the rest', async () => {
    stubCapabilities(app, { multiple_captures: false })
    const auth = await client.authorise(CARDS.approve, { alt_key: 'once' })
    await captured('once', { amount: '30.00' })
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(errorSummary(await client.capture(auth.id))).toEqual(NOTHING_OPEN)
    expect(errorSummary(await client.capture('once'))[0]).toBe(404)
    // The processor released the rest itself; a void would be an error.
    expect((await api(`/voids?criteria=payment=${auth.id}`)).json.meta.total).toBe(0)
  })

  it('can capture again after a declined capture', async () => {
    stubCapabilities(app, { multiple_captures: false })
    const mend = bend('capture', DOWN)
    const auth = await client.authorise()
    await captured(auth.id, { amount: '30.00' })
    mend()
    expect(await amounts(auth.id)).toEqual(['0.00', '100.00'])
    expect((await captured(auth.id, { amount: '40.00' })).status).toBe('SUCCESS')
  })

  it('receives no second operation while the first is open', async () => {
    stubCapabilities(app, { multiple_captures: false })
    const auth = await client.authorise()
    bend('capture', 'REQUEST LOST')
    await captured(auth.id, { amount: '30.00' })
    expect(errorSummary(await client.capture(auth.id, { amount: '30.00' })).slice(0, 2)).toEqual([
      400,
      'INVALID_STATE',
    ])
    expect(errorSummary(await client.release(auth.id)).slice(0, 2)).toEqual([400, 'INVALID_STATE'])
  })

  it('that captures only the whole amount refuses a part', async () => {
    stubCapabilities(app, { partial_capture: false })
    const auth = await client.authorise()
    expect(errorSummary(await client.capture(auth.id, { amount: '99.99' }))).toEqual(
      refusal('NOT_SUPPORTED', 'sandbox captures the whole amount only'),
    )
    expect((await captured(auth.id, { amount: '100.00' })).status).toBe('SUCCESS')
  })
})
