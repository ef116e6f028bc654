import { describe, expect, it } from 'vitest'
import { newId } from '../ids.ts'
import { startTestApp } from '../../test/app.ts'
import { connectStripe } from '../../test/stripe-fake/connect.ts'
import { createJournal, type JournalEntry } from './journal.ts'

const app = await startTestApp({
  CHECKSTAND_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
})
const { db } = app.checkstand.deps
const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1' }

const openJournal = async () =>
  createJournal(db, (await connectStripe(app, await app.newMerchant(), keys)).id, app.now)

const PAYMENT = {
  kind: 'PAY',
  reference: 'pi_1',
  content_hash: 'a',
  amount: 9_007_199_254_740_991,
  currency: 'EUR',
} as const

const newKey = () => newId('at', app.now())

describe('an entry of the journal', () => {
  it('stands as it was begun first', async () => {
    const journal = await openJournal()
    const operation = newKey()
    const created = new Date(app.now()).toISOString()
    const first = { ...PAYMENT, reason: null, created }
    expect(await journal.begin(operation, PAYMENT)).toEqual(first)
    app.pass(1000)
    const other = { ...PAYMENT, reference: 'pi_2', content_hash: 'b' }
    expect(await journal.begin(operation, other)).toEqual(first)
    expect(await journal.cancel(operation)).toEqual(first)
    expect(await journal.find(operation)).toEqual(first)
  })

  it('is not begun after it was canceled', async () => {
    const journal = await openJournal()
    const operation = newKey()
    expect(await journal.find(operation)).toBeUndefined()
    expect(await journal.cancel(operation)).toBe('CANCELLED')
    expect(await journal.begin(operation, PAYMENT)).toBe('CANCELLED')
    await journal.amend(operation, { reference: 'pi_1', reason: 'no' })
    expect(await journal.find(operation)).toBe('CANCELLED')
    expect(await journal.findByReference('pi_1')).toBeUndefined()
  })

  it('is the same for everybody who begins or cancels it at once', async () => {
    const journal = await openJournal()
    const outcomes = new Set<string>()
    for (let round = 0; round < 30; round += 1) {
      const operation = newKey()
      const begin = (reference: string) => () => journal.begin(operation, { ...PAYMENT, reference })
      const cancel = () => journal.cancel(operation)
      const calls = [begin('pi_a'), cancel, begin('pi_b'), cancel]
      const shifted = [...calls.slice(round % 4), ...calls.slice(0, round % 4)]
      const answers = await Promise.all(shifted.map((call) => call()))
      const stands = await journal.find(operation)
      for (const answer of answers) expect(answer).toEqual(stands)
      outcomes.add(stands === 'CANCELLED' ? stands : 'BEGUN')
    }
    expect(outcomes).toEqual(new Set(['BEGUN', 'CANCELLED']))
  })

  it('takes a reference once, and the newest reason', async () => {
    const journal = await openJournal()
    const operation = newKey()
    await journal.begin(operation, { ...PAYMENT, reference: null })
    await journal.amend(operation, { reference: 'pi_1' })
    await journal.amend(operation, { reference: 'pi_2', reason: 'first' })
    await journal.amend(operation, { reason: 'second' })
    expect(await journal.find(operation)).toMatchObject({ reference: 'pi_1', reason: 'second' })
  })

  it('is canceled for good when it is abandoned', async () => {
    const journal = await openJournal()
    const operation = newKey()
    await journal.begin(operation, { ...PAYMENT, kind: 'CAPTURE' })
    await journal.abandon(operation)
    expect(await journal.begin(operation, PAYMENT)).toBe('CANCELLED')
    expect(await journal.find(operation)).toBe('CANCELLED')
  })

  it('is found by the reference of its payment only', async () => {
    const journal = await openJournal()
    const [payment, capture] = [newKey(), newKey()]
    await journal.begin(capture, { ...PAYMENT, kind: 'CAPTURE' })
    expect(await journal.findByReference('pi_1')).toBeUndefined()
    await journal.begin(payment, { ...PAYMENT, kind: 'AUTHORISE' })
    expect(await journal.findByReference('pi_1')).toBe(payment)
  })

  it('belongs to one connection', async () => {
    const [own, other] = [await openJournal(), await openJournal()]
    const operation = newKey()
    await own.begin(operation, PAYMENT)
    expect(await other.find(operation)).toBeUndefined()
    expect(await other.findByReference('pi_1')).toBeUndefined()
    expect(await other.cancel(operation)).toBe('CANCELLED')
    expect(await own.find(operation)).toMatchObject<Partial<JournalEntry>>({ kind: 'PAY' })
  })
})
