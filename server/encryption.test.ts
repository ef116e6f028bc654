import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decrypt,
  encrypt,
  type EncryptionKeys,
  isCurrent,
  parseEncryptionKeys,
} from './encryption.ts'

const newKeys = (): EncryptionKeys => [randomBytes(32)]
const PURPOSE = 'pr_1/secret_key'

describe('an encrypted text', () => {
  it('decrypts to what was encrypted', () => {
    const keys = newKeys()
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string(), (text, purpose) => {
        const stored = encrypt(keys, text, purpose)
        expect(decrypt(keys, stored, purpose)).toBe(text)
      }),
    )
  })

  it('does not show the text, and differs each time', () => {
    const keys = newKeys()
    const stored = encrypt(keys, 'sk_live_canary', PURPOSE)
    expect(Buffer.from(stored.split(':')[3] ?? '', 'base64url').toString()).not.toContain('canary')
    expect(encrypt(keys, 'sk_live_canary', PURPOSE)).not.toBe(stored)
  })

  it('is useless for another purpose', () => {
    const keys = newKeys()
    const stored = encrypt(keys, 'secret', PURPOSE)
    expect(() => decrypt(keys, stored, 'pr_2/secret_key')).toThrow('is not what was encrypted')
    expect(() => decrypt(keys, stored, 'pr_1/webhook_secret')).toThrow('is not what was encrypted')
  })

  it('is not decrypted by another key, which is named', () => {
    const stored = encrypt(newKeys(), 'secret', PURPOSE)
    const id = stored.split(':')[1]
    expect(() => decrypt(newKeys(), stored, PURPOSE)).toThrow(
      `was encrypted with the key ${id}, which is not configured`,
    )
  })

  it('is not decrypted when it was changed or cut anywhere', () => {
    const keys = newKeys()
    const [version, id, nonce = '', sealed = ''] = encrypt(keys, 'secret', PURPOSE).split(':')
    const isRefused = (members: (string | undefined)[]) =>
      expect(() => decrypt(keys, members.join(':'), PURPOSE)).toThrow(
        /^(is not what was encrypted|is not an encrypted text)$/,
      )
    for (const [at, text] of [nonce, sealed].entries()) {
      const bytes = Buffer.from(text, 'base64url')
      for (let index = 0; index < bytes.length; index += 1) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
        for (const other of [changed, bytes.subarray(0, index), bytes.subarray(index + 1)]) {
          const member = other.toString('base64url')
          isRefused(at === 0 ? [version, id, member, sealed] : [version, id, nonce, member])
        }
      }
    }
    isRefused(['v2', id, nonce, sealed])
    isRefused([version, id, nonce])
    isRefused([version, id, nonce, sealed, 'more'])
    isRefused([''])
  })

  it('is decrypted during a rotation by either key, and encrypted by the first', () => {
    const [old] = newKeys()
    const [fresh] = newKeys()
    const before = encrypt([old], 'secret', PURPOSE)
    const rotating: EncryptionKeys = [fresh, old]
    const after = encrypt(rotating, 'secret', PURPOSE)
    expect(decrypt(rotating, before, PURPOSE)).toBe('secret')
    expect(decrypt([fresh], after, PURPOSE)).toBe('secret')
    expect(isCurrent(rotating, before)).toBe(false)
    expect(isCurrent(rotating, after)).toBe(true)
  })
})

describe('the setting of keys', () => {
  const text = (bytes: number) => randomBytes(bytes).toString('base64')

  it('is a list of keys of 32 bytes', () => {
    const [first, second] = [text(32), text(32)]
    const keys = parseEncryptionKeys(`${first}, ${second}\n`)
    expect(keys?.map((key) => key.toString('base64'))).toEqual([first, second])
  })

  it.each([
    ['nothing', ''],
    ['a short key', text(31)],
    ['a long key', text(33)],
    ['a gap', `${text(32)},`],
  ])('is refused with %s', (_what, given) => {
    expect(parseEncryptionKeys(given)).toBeUndefined()
  })
})
