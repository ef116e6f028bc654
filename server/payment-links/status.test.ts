import { describe, expect, it } from 'vitest'
import { linkStatus } from './status.ts'

const EXPIRES = '2030-05-01T12:00:00.000Z'
const AT = Date.parse(EXPIRES)

describe('the status of a link', () => {
  it('is ACTIVE up to the last millisecond before it expires', () => {
    expect(linkStatus({ status: 'ACTIVE', expires: EXPIRES }, AT - 1)).toBe('ACTIVE')
  })

  it('is EXPIRED from its expiry on', () => {
    expect(linkStatus({ status: 'ACTIVE', expires: EXPIRES }, AT)).toBe('EXPIRED')
    expect(linkStatus({ status: 'ACTIVE', expires: EXPIRES }, AT + 1)).toBe('EXPIRED')
  })

  it('never expires without an expiry', () => {
    const farAway = Date.parse('9999-12-31T23:59:59.999Z')
    expect(linkStatus({ status: 'ACTIVE', expires: null }, farAway)).toBe('ACTIVE')
  })

  it.each(['PAYMENT_PENDING', 'PAYMENT_SUCCESS'] as const)(
    'stays %s past the expiry, because money beats the clock',
    (status) => {
      expect(linkStatus({ status, expires: EXPIRES }, AT + 1)).toBe(status)
    },
  )
})
