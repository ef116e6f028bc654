import { describe, expect, it } from 'vitest'
import { CALLS, HOUR_MS, openFaultyStripe, orUnknown } from '../../../test/stripe-fake/faulty.ts'
import { newId } from '../../ids.ts'
import { cancelOrphans } from '../../processor-connections/cancel-orphans.ts'

/** Intents that Stripe made in a request whose answer was lost are canceled later. */

const stripe = await openFaultyStripe()
const { app, fake, pass, newAdapter, newOrder, reconcile, requests, intentsOf } = stripe

const order = (at = Date.now()) => ({ ...newOrder('approve'), operation: newId('at', at) })

/** A payment whose intent was made without an answer, as far as the reconciler brings it. */
async function leaveOrphan() {
  const left = order()
  fake.fault(CALLS.create, 'LOST_AFTER', 3)
  await orUnknown(newAdapter().pay(left))
  const end = await newAdapter().cancel(left.operation)
  expect(end).toMatchObject({ code: 'CANCELLED' })
  const [intent] = intentsOf(left.operation)
  if (!intent) throw new Error('Stripe has no intent')
  expect(intent.status).toBe('requires_confirmation')
  return { left, intent }
}

const sweepAfter = (ms: number) => {
  pass(ms)
  return newAdapter().cancelOrphans?.()
}

describe('an intent whose creation had no answer', () => {
  it('is canceled after an hour, once', async () => {
    const { left, intent } = await leaveOrphan()
    expect(await sweepAfter(HOUR_MS)).toBe(0)
    expect(intent.status).toBe('requires_confirmation')
    expect(await sweepAfter(0.1 * HOUR_MS)).toBe(1)
    expect(intent.status).toBe('canceled')
    const before = fake.requests.length
    expect(await sweepAfter(HOUR_MS)).toBe(0)
    expect(fake.requests.length).toBe(before)
    expect(await newAdapter().query(left.operation)).toMatchObject({ code: 'CANCELLED' })
  })

  it('is tried again when Stripe does not answer', async () => {
    const { intent } = await leaveOrphan()
    fake.fault(CALLS.cancel, 'LOST_BEFORE', 3)
    await expect(sweepAfter(2 * HOUR_MS)).rejects.toThrow('no clear answer')
    expect(await sweepAfter(0)).toBe(1)
    expect(intent.status).toBe('canceled')
  })

  it('is canceled by the job, for which a connection that fails stops no other', async () => {
    const { intent } = await leaveOrphan()
    const { db, log } = app.checkstand.deps
    const other = await app.newMerchant()
    const connection = await db
      .selectFrom('processor_connections')
      .selectAll()
      .executeTakeFirstOrThrow()
    const failing = { id: 'pr_0', instance_id: other.instance.id }
    await db
      .insertInto('processor_connections')
      .values({ ...connection, ...failing })
      .execute()
    pass(2 * HOUR_MS)
    const processors = {
      ...app.checkstand.deps.processors,
      get: async ({ processor }: { processor: string }) => {
        if (processor === failing.id) throw new Error('down')
        return newAdapter()
      },
    }
    expect(await cancelOrphans({ db, processors, log })).toBe(1)
    expect(intent.status).toBe('canceled')
    expect(app.logged()).toContain('orphans at a processor were not canceled')
    await db.deleteFrom('processor_connections').where('id', '=', failing.id).execute()
  })
})

describe('an intent that is left alone', () => {
  it('is that of a payment that is still to be asked about', async () => {
    const left = order()
    fake.fault(CALLS.create, 'LOST_AFTER', 3)
    await orUnknown(newAdapter().pay(left))
    expect(await sweepAfter(2 * HOUR_MS)).toBe(0)
    expect(intentsOf(left.operation)).toMatchObject([{ status: 'requires_confirmation' }])
    expect(await reconcile(left.operation)).toMatchObject({ code: 'CANCELLED' })
    expect(await sweepAfter(0)).toBe(1)
  })

  it('is that of a payment that was made, and one that another server has made', async () => {
    const paid = order()
    expect(await newAdapter().pay(paid)).toMatchObject({ status: 'APPROVED' })
    const { left, intent } = await leaveOrphan()
    intent.metadata['operation'] = newId('at', Date.now())
    expect(await sweepAfter(2 * HOUR_MS)).toBe(0)
    expect(intent.status).toBe('requires_confirmation')
    expect(intentsOf(paid.operation)).toMatchObject([{ status: 'succeeded' }])
    intent.metadata['operation'] = left.operation
  })

  it('asks Stripe nothing where no payment was lost', async () => {
    await newAdapter().pay(order())
    const before = requests().length
    expect(await sweepAfter(2 * HOUR_MS)).toBe(0)
    expect(requests().length).toBe(before)
  })
})
