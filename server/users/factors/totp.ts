import { Secret, TOTP } from 'otpauth'
import { decrypt, encrypt } from '../../encryption.ts'
import { invalidState } from '../../errors.ts'
import {
  type KeyConfig,
  readEncryptionKeys,
  readOrCreateEncryptionKeys,
} from '../../processors/encryption-keys.ts'

/** One-time codes by time (RFC 6238), with the parameters that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const SECRET_BYTES = 20
/** Codes of the neighboring time steps count, because clocks of phones differ. */
const WINDOW = 1

export const TOTP_CODE = /^\d{6}$/

/** Returns a new secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the address that a QR code carries to an app. `issuer` is the host of the console. */
export function totpUri(
  secret: string,
  { email, issuer }: { email: string; issuer: string },
): string {
  return new TOTP({ ...PARAMETERS, issuer, label: email, secret }).toString()
}

/**
 * Returns the time step of a code, undefined if it is wrong or its step is not after `spent`: a code
 * counts once. `now` is epoch milliseconds.
 */
export function verifyTotp(
  secret: string,
  code: string,
  { spent, now }: { spent: number; now: number },
): number | undefined {
  if (!TOTP_CODE.test(code)) return undefined
  const delta = TOTP.validate({
    ...PARAMETERS,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: WINDOW,
  })
  if (delta === null) return undefined
  const step = TOTP.counter({ period: PARAMETERS.period, timestamp: now }) + delta
  return step > spent ? step : undefined
}

/** Throws a 400 ApiError when the server has no encryption key. */
export function encryptTotpSecret(config: KeyConfig, id: string, secret: string): string {
  const keys = readOrCreateEncryptionKeys(config)
  if (keys) return encrypt(keys, secret, purposeOf(id))
  throw invalidState(
    'This server cannot keep secrets of authenticator apps: its operator must set ' +
      'CHECKSTAND_ENCRYPTION_KEY to the output of `openssl rand -base64 32`',
  )
}

/** Throws an Error when the key of the secret is missing. */
export function decryptTotpSecret(config: KeyConfig, id: string, stored: string): string {
  const keys = readEncryptionKeys(config)
  if (!keys) throw new Error('the key that encrypted the secret of an authenticator app is missing')
  return decrypt(keys, stored, purposeOf(id))
}

function purposeOf(id: string): string {
  return `user_factors ${id}`
}
