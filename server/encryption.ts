import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** 32 bytes each. The first encrypts; all of them decrypt, so that keys can be rotated. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]]

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Parses a comma-separated list of keys, each 32 bytes in base64. Returns undefined when one of them is
 * not, or the list is empty.
 */
export function parseEncryptionKeys(text: string): EncryptionKeys | undefined {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
  const [first, ...others] = keys
  return first && keys.every((key) => key.length === KEY_BYTES) ? [first, ...others] : undefined
}

/**
 * Encrypts with AES-256-GCM and the first key. `purpose` says whose text it is and must be the same to
 * decrypt it, so that a text copied to another row is useless there. Returns `v1:key id:nonce:text`.
 */
export function encrypt([key]: EncryptionKeys, text: string, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return ['v1', keyId(key), nonce.toString('base64url'), sealed.toString('base64url')].join(':')
}

/**
 * Returns the text that `encrypt` was given. Throws an Error that says why it cannot: the key is not
 * among `keys`, or the stored text or its purpose is not what was encrypted.
 */
export function decrypt(keys: EncryptionKeys, stored: string, purpose: string): string {
  const [version, id, nonce, sealed, ...others] = stored.split(':')
  if (version !== 'v1' || !id || !nonce || !sealed || others.length > 0) {
    throw new Error('is not an encrypted text')
  }
  const key = keys.find((candidate) => keyId(candidate) === id)
  if (!key) throw new Error(`was encrypted with the key ${id}, which is not configured`)
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    // A shorter tag, which is easier to guess, is not accepted.
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(0, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    throw new Error('is not what was encrypted')
  }
}

/** Returns whether a stored text was encrypted with the first key. */
export function isCurrent([key]: EncryptionKeys, stored: string): boolean {
  return stored.startsWith(`v1:${keyId(key)}:`)
}

function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}
