import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { receiveMessage, createMessage } from './embed-messages.ts'

const WINDOW = { the: 'one window' }
const ORIGIN = 'https://pay.example'
const FRAME = '0.7234'
const data = createMessage(FRAME, 'resize', { height: 600 })
const event = { isTrusted: true, source: WINDOW, origin: ORIGIN, data }
const hear = (changed: object) => receiveMessage({ ...event, ...changed }, WINDOW, ORIGIN, FRAME)

describe('a message between a page and the one around it', () => {
  it('travels as the contract writes it', () => {
    expect(data).toEqual({ checkstand: 1, frame: FRAME, type: 'resize', detail: { height: 600 } })
  })

  it('is heard from the one window, under its exact origin, with the nonce of the frame', () => {
    expect(hear({})).toEqual(data)
  })

  it.each([
    ['another window', { source: { the: 'other window' } }],
    ['no window', { source: null }],
    ['an origin that begins alike', { origin: `${ORIGIN}.evil.example` }],
    ['an origin that is a part', { origin: 'https://pay' }],
    ['another scheme', { origin: 'http://pay.example' }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['no origin', { origin: 'null' }],
    ['a script that makes events up', { isTrusted: false }],
    ['the frame beside', { data: { ...data, frame: '0.1111' } }],
    ['no frame at all', { data: { ...data, frame: undefined } }],
    ['another protocol', { data: { ...data, checkstand: 2 } }],
    ['a protocol that is only alike', { data: { ...data, checkstand: '1' } }],
    ['a text', { data: JSON.stringify(data) }],
    ['nothing', { data: null }],
  ])('is not heard from %s', (_, changed) => {
    expect(hear(changed)).toBe(false)
  })

  it('is nothing else, whatever is sent', () => {
    fc.assert(fc.property(fc.anything(), (sent) => hear({ data: sent }) === false))
  })

  it('is heard only where window, origin and frame are right all together', () => {
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
