import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FrameMessages } from '../../../shared/embed-messages.ts'
import type { PageModel } from '../../../shared/page-model.ts'
import { model, result } from '../../scenes/models.ts'
import { outcome, settled, setUp } from '../testing.ts'
import { isPaymentUnderWay, reportStatus } from './report-status.ts'

const PAID = model({ view: 'RESULT' }, { result: result() })

type Told = [keyof FrameMessages, unknown]

beforeEach(() => address(''))
afterEach(() => vi.unstubAllGlobals())

function address(search: string): void {
  const kept = new Map<string, string>()
  vi.stubGlobal('location', { search })
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  })
}

/** A framed checkout with an open session, and the messages that it then sends. */
async function framed(start?: PageModel) {
  const test = setUp(start, undefined, { framed: { origin: 'https://shop.example' } })
  const told: Told[] = []
  reportStatus(test.checkout, (type, detail) => told.push([type, detail]))
  void test.checkout.start()
  await test.pass(0)
  if (test.checkout.step.value === 'form') await test.checkout.prepare()
  return { ...test, told }
}

describe('the messages of a framed page', () => {
  it('report each change of status once, and the milestones', async () => {
    const test = await framed()
    await test.press(outcome('COMPLETED'), test.shows())
    expect(test.told).toEqual([
      ['status', { status: 'OPEN' }],
      ['status', { status: 'SUBMITTED' }],
      ['status', { status: 'COMPLETED' }],
      [
        'complete',
        {
          payment_link: test.checkout.checkout.value.payment_link,
          status: 'COMPLETED',
          transaction: result().transaction,
          account: result().account,
        },
      ],
    ])
  })

  it('report the redirect of a skipped receipt without a navigation', async () => {
    const test = await framed()
    const redirect = 'https://shop.example/ok'
    const return_url = 'https://pay.example/return'
    await test.press(
      outcome('COMPLETED', { redirect, return_url }),
      test.shows({ redirect, skip_receipt: true }),
    )
    expect(test.told.at(-1)).toEqual(['complete', expect.objectContaining({ redirect })])
    expect(test.navigations).toEqual([])
    expect(test.checkout.step.value).toBe('result')
  })

  it('report no completion of an earlier or another payer’s payment', async () => {
    expect((await framed(PAID)).told).toEqual([['status', { status: 'COMPLETED' }]])
    const test = await framed()
    await test.press(outcome('BUSY'), test.shows({ outcome: 'BUSY', method: null }))
    test.replies.current.push(test.shows({ method: null, transaction: null, account: null }))
    await test.pass(1_000)
    expect(test.told.map(([type]) => type)).not.toContain('complete')
  })

  it('report the completion after a return from the bank once', async () => {
    address('?ck=handle')
    const ends = (told: Told[]) => told.filter(([type]) => type === 'complete').length
    expect(ends((await framed(PAID)).told)).toBe(1)
    expect(ends((await framed(PAID)).told)).toBe(0)
  })

  it('report an unavailable link and a lost connection', async () => {
    expect((await framed(model({ view: 'EXPIRED' }))).told).toEqual([
      ['status', { status: 'EXPIRED' }],
      ['error', { code: 'GONE' }],
    ])
    const test = await framed()
    test.replies.submit.push('LOST')
    test.replies.current.push('LOST')
    test.checkout.connection.value = 'failing'
    await settled()
    expect(test.told.at(-1)).toEqual(['error', { code: 'NO_CONNECTION' }])
  })
})

describe('a request to close', () => {
  it('is refused during a submit and while its outcome is unconfirmed', async () => {
    const test = await framed()
    expect(isPaymentUnderWay(test.checkout)).toBe(false)
    await test.press('NEVER')
    expect(isPaymentUnderWay(test.checkout)).toBe(true)
    const lost = await framed()
    await lost.press('LOST')
    expect(lost.checkout.step.value).toBe('unconfirmed')
    expect(isPaymentUnderWay(lost.checkout)).toBe(true)
    lost.checkout.pollingStopped.value = true
    expect(isPaymentUnderWay(lost.checkout)).toBe(false)
  })

  it('is accepted once the server has the outcome', async () => {
    const test = await framed()
    await test.press(outcome('PENDING'), test.shows({ outcome: 'CHECKING' }))
    expect(isPaymentUnderWay(test.checkout)).toBe(false)
    expect(test.told.at(-1)).toEqual(['status', { status: 'PENDING' }])
  })
})

describe('a challenge in a framed page', () => {
  const url = 'https://bank.example/confirm'

  it('is opened by the host page, and the frame shows the bank screen', async () => {
    const test = await framed()
    const action = { type: 'REDIRECT', url } as const
    await test.press(
      outcome('ACTION', { action }),
      test.shows({ outcome: 'ACTION', action, reference: null }),
    )
    expect(test.navigations).toEqual([url])
    expect(test.checkout.screen.value.kind).toBe('bank')
  })

  it('opens in the frame where the bank allows it', async () => {
    const test = await framed()
    await test.press(outcome('ACTION', { action: { type: 'REDIRECT', url, in_frame: true } }))
    expect(test.navigations).toEqual([url])
    expect(test.checkout.step.value).toMatchObject({ url, to: 'BANK' })
  })
})

it('a framed page sends the origin of its host page', async () => {
  const test = await framed()
  expect(test.requests[0]?.body).toMatchObject({ embedded_origin: 'https://shop.example' })
})
