import { describe, expect, it } from 'vitest'
import { afterEachRead } from '../../test/after-each-read.ts'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  stubCapabilities,
  stubProcessor,
  sandboxRecord,
  type Json,
  openPaymentsClient,
  errorSummary,
} from '../../test/payments-client.ts'
import { sandboxCharges } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'
import { voidRemainder } from './void-remainder.ts'
import { settleAttempt } from './settle.ts'
import type { Processor } from '../processors/port.ts'

/** What becomes of a capture, and of what it leaves of its authorization. */

const app = await startTestApp()
const { deps } = app.checkstand
const client = openPaymentsClient(app)
const { api } = app.merchant
const NOTHING_OPEN = [400, 'INVALID_STATE', 'Authorization has no open amount']

const captured = async (named: string, capture?: unknown): Promise<Json> => {
  const response = await client.capture(named, capture)
  expect(response.status, response.text).toBe(200)
  return response.json.capture
}
const amounts = async (id: string) => {
  const { captured_amount, open_amount } = await client.read(id)
  return [captured_amount, open_amount]
}
async function later(ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(deps)
}

function bendCapture(answer: object): void {
  stubProcessor(app, () => ({ capture: async () => answer as never }))
}

describe('the final capture', () => {
  it('releases the rest, here and at the processor', async () => {
    const auth = await client.authorise()
    await captured(auth.id, { amount: '30.00', final: true })
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 3_000,
      released: 7_000,
    })
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
    bendCapture({ status: 'DECLINED', reference: null, code: 'DECLINED', message: 'No' })
    expect(await captured(auth.id, { amount: '30.00', final: true })).toMatchObject({
      status: 'DECLINE',
      gateway_message: 'No',
    })
    expect(await amounts(auth.id)).toEqual(['0.00', '100.00'])
  })

  it('releases the rest when its outcome comes later', async () => {
    const auth = await client.authorise()
    stubProcessor(app, (real) => ({
      capture: async (order) => {
        await real.capture(order)
        throw new Error('connection reset')
      },
    }))
    expect((await captured(auth.id, { amount: '30.00', final: true })).status).toBe('UNRESOLVED')
    await later(5_000)
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 3_000,
      released: 7_000,
    })
  })

  it('succeeds even if the release of the rest fails', async () => {
    const auth = await client.authorise()
    stubProcessor(app, () => ({ void: () => Promise.reject(new Error('connection reset')) }))
    expect((await captured(auth.id, { amount: '30.00', final: true })).status).toBe('SUCCESS')
    expect(await amounts(auth.id)).toEqual(['30.00', '0.00'])
  })
})

describe('the rest of a final capture', () => {
  const books = async ({ gateway_reference }: Json) => {
    const { captured: taken, released, voids } = await sandboxRecord(app, gateway_reference)
    return { captured: taken, released, voids }
  }
  const LET_GO = { captured: 3_000, released: 7_000, voids: 7_000 }
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
  const attemptOf = (kind: 'CAPTURE' | 'VOID', paymentId: string) =>
    deps.db
      .selectFrom('attempts')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
  /** Makes the processor's voids fail with `fault` until it is reset. */
  function breakVoids(fault: () => Promise<never>): { mend: () => void } {
    let isBroken = true
    stubProcessor(app, (real) => ({
      void: (order) => (isBroken ? fault() : real.void(order)),
    }))
    return {
      mend: () => {
        isBroken = false
      },
    }
  }

  /** Drops captures before the processor until it is reset. */
  function loseCaptures(): { restore: () => void } {
    let isLost = true
    const fault = new Error('no route to host')
    stubProcessor(app, (real) => ({
      capture: (order) => (isLost ? Promise.reject(fault) : real.capture(order)),
    }))
    return {
      restore: () => {
        isLost = false
      },
    }
  }

  it('is released by another process when one ends between the capture and the void', async () => {
    const auth = await client.authorise()
    stubProcessor(app, (real) => ({
      capture: async (order) => {
        await real.capture(order)
        throw new Error('connection reset')
      },
    }))
    const capture = await captured(auth.id, { amount: '30.00', final: true })
    const attempt = await attemptOf('CAPTURE', capture.id)
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
    const { mend } = breakVoids(() => Promise.reject(new Error('no route to host')))
    await captured(auth.id, { amount: '30.00', final: true })
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
    stubProcessor(app, (real) => ({
      void: async (order) => {
        await real.void(order)
        throw new Error('connection reset')
      },
    }))
    await captured(auth.id, { amount: '30.00', final: true })
    for (let round = 0; round < 3; round += 1) await later(600_000)
    expect(await voidsOf(auth.id)).toEqual(['SUCCESS'])
    expect(await books(auth)).toEqual(LET_GO)
    expect(await openChecks(auth.id)).toBe(0)
  })

  it('is released once by concurrent processes', async () => {
    const auth = await client.authorise()
    const { mend } = breakVoids(() => Promise.reject(new Error('no route to host')))
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
    const failed = { status: 'DECLINED', reference: null, code: 'DECLINED', message: '' } as const
    let reads = 1
    for (let moment = 1; moment <= reads; moment += 1) {
      const auth = await client.authorise()
      const { mend } = breakVoids(() => Promise.reject(new Error('no route to host')))
      const { id } = await captured(auth.id, { amount: '30.00', final: true })
      mend()
      const capture = await attemptOf('CAPTURE', id)
      const earlier = await attemptOf('VOID', auth.id)
      reads = 0
      const watched = afterEachRead(deps.db, async () => {
        reads += 1
        if (reads === moment) await settleAttempt(deps, earlier.id, failed)
      })
      await voidRemainder({ ...deps, db: watched }, capture)
      for (let round = 0; round < 2; round += 1) await later(600_000)
      expect(await books(auth), `after read ${moment}`).toEqual(LET_GO)
    }
    expect(reads).toBeGreaterThan(2)
  })

  it('is released after an earlier capture turns out to have failed', async () => {
    const auth = await client.authorise()
    const { restore } = loseCaptures()
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
    breakVoids(() => Promise.reject(new Error('no route to host')))
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

describe('a capture that the processor refuses or leaves open', () => {
  it.each([
    [
      { status: 'DECLINED', reference: null, code: 'DECLINED', message: 'Too late' },
      { status: 'DECLINE', gateway_status: 'DECLINED', gateway_message: 'Too late' },
    ],
    [
      { status: 'ERROR', message: 'Down' },
      { status: 'DECLINE', gateway_status: 'DECLINED_ERROR', gateway_message: 'Down' },
    ],
  ])('%j makes the amount capturable again', async (answer, expected) => {
    const auth = await client.authorise()
    bendCapture(answer)
    expect(await captured(auth.id, { amount: '60.00' })).toMatchObject(expected)
    expect(await client.read(auth.id)).toMatchObject({
      captured_amount: '0.00',
      open_amount: '100.00',
      v: auth.v + 2,
    })
  })

  it.each([
    ['reached it', 'SUCCESS', true],
    ['did not reach it', 'DECLINE', false],
  ])(
    'UNRESOLVED is settled to the real outcome when the request %s',
    async (_what, status, reaches) => {
      const auth = await client.authorise()
      const before = (await sandboxCharges(app)).length
      stubProcessor(app, (real) => ({
        capture: async (order) => {
          if (reaches) await real.capture(order)
          throw new Error('connection reset')
        },
      }))
      const capture = await captured(auth.id, { amount: '60.00' })
      expect(capture).toMatchObject({ status: 'UNRESOLVED', refundable_amount: '0.00' })
      expect(await amounts(auth.id)).toEqual(['60.00', '40.00'])
      await later(5_000)
      expect(await client.read(capture.id)).toMatchObject({ status, v: 3 })
      expect(await amounts(auth.id)).toEqual(reaches ? ['60.00', '40.00'] : ['0.00', '100.00'])
      expect((await sandboxCharges(app)).slice(before)).toEqual(reaches ? [6_000] : [])
    },
  )

  it('PENDING reserves its amount until the outcome is known', async () => {
    const auth = await client.authorise()
    const reference = 'scap_1'
    stubProcessor(app, () => ({
      capture: async () => ({ status: 'PENDING', reference, check_after_ms: 1_000 }),
      query: async () => ({ status: 'DECLINED', reference, code: 'DECLINED', message: 'Late' }),
    }))
    const capture = await captured(auth.id)
    expect(capture).toMatchObject({ status: 'PENDING', processed: null })
    expect(errorSummary(await client.capture(auth.id))).toEqual(NOTHING_OPEN)
    await later(1_000)
    expect((await client.read(capture.id)).status).toBe('DECLINE')
    expect(await amounts(auth.id)).toEqual(['0.00', '100.00'])
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
    let isDown = true
    stubProcessor(app, (real) => ({
      capture: async (order) =>
        isDown ? { status: 'ERROR', message: 'Down' } : real.capture(order),
    }))
    const auth = await client.authorise()
    await captured(auth.id, { amount: '30.00' })
    isDown = false
    expect(await amounts(auth.id)).toEqual(['0.00', '100.00'])
    expect((await captured(auth.id, { amount: '40.00' })).status).toBe('SUCCESS')
  })

  it('receives no second operation while the first is open', async () => {
    stubCapabilities(app, { multiple_captures: false })
    const auth = await client.authorise()
    stubProcessor(app, () => ({ capture: () => Promise.reject(new Error('connection reset')) }))
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
    expect(errorSummary(await client.capture(auth.id, { amount: '99.99' }))).toEqual([
      400,
      'NOT_SUPPORTED',
      'sandbox captures the whole amount only',
    ])
    expect((await captured(auth.id, { amount: '100.00' })).status).toBe('SUCCESS')
  })
})

describe('an authorization whose processor is not configured', () => {
  it('can be read but not captured', async () => {
    const auth = await client.authorise()
    const processors = deps.processors.builtIn
    const sandbox = processors.get('sandbox') as Processor
    processors.delete('sandbox')
    const response = await client.capture(auth.id)
    processors.set('sandbox', sandbox)
    expect(errorSummary(response)).toEqual([
      400,
      'INVALID_STATE',
      'The processor of the payment is not configured',
    ])
    expect(await client.read(auth.id)).toEqual(auth)
  })
})
