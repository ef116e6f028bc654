import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { receiveMessage, createMessage } from './embed-messages.ts'

const WINDOW = { the: 'one window' }
const ORIGIN = 'https://pay.example'
const FRAME = '0.7234'
const data = createMessage(FRAME, 'resize', { height: 600 })
const event = { isTrusted: true, source: WINDOW, origin: ORIGIN, data }
const receive = (changed: object) => receiveMessage({ ...event, ...changed }, WINDOW, ORIGIN, FRAME)

describe('a message between an embedded page and its host', () => {
  it('has the documented envelope', () => {
    expect(data).toEqual({ checkstand: 1, frame: FRAME, type: 'resize', detail: { height: 600 } })
  })

  it('is received from the expected window and origin with the nonce of the frame', () => {
    expect(receive({})).toEqual(data)
  })

  it.each([
    ['another window', { source: { the: 'other window' } }],
    ['no window', { source: null }],
    ['an origin with the same beginning', { origin: `${ORIGIN}.evil.example` }],
    ['the beginning of the origin', { origin: 'https://pay' }],
    ['another scheme', { origin: 'http://pay.example' }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['no origin', { origin: 'null' }],
    ['an untrusted event', { isTrusted: false }],
    ['another frame', { data: { ...data, frame: '0.1111' } }],
    ['no frame at all', { data: { ...data, frame: undefined } }],
    ['another version', { data: { ...data, checkstand: 2 } }],
    ['a version as text', { data: { ...data, checkstand: '1' } }],
    ['a text', { data: JSON.stringify(data) }],
    ['nothing', { data: null }],
  ])('is not received from %s', (_, changed) => {
    expect(receive(changed)).toBe(false)
  })

  it('is not received from arbitrary data', () => {
    fc.assert(fc.property(fc.anything(), (sent) => receive({ data: sent }) === false))
  })

  it('is received only if window, origin, nonce and trust are all right', () => {
    const window = fc.constantFrom(WINDOW, { the: 'other window' })
    const origin = fc.constantFrom(ORIGIN, 'https://shop.example')
    const frame = fc.constantFrom(FRAME, '0.1111')
    fc.assert(
      fc.property(window, origin, frame, fc.boolean(), (source, from, nonce, isTrusted) => {
        const ours = source === WINDOW && from === ORIGIN && nonce === FRAME && isTrusted
        const sent = { isTrusted, source, origin: from, data: createMessage(nonce, 'close') }
        return Boolean(receiveMessage(sent, WINDOW, ORIGIN, FRAME)) === ours
      }),
    )
  })
})
