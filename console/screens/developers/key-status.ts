import type { SecretKey } from '../../../shared/schemas/secret-key.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { formatTime } from '../../ui/Time.tsx'
import { t } from './keys-words.ts'

/** Returns whether a key opens the instance now. */
export function isUsable({ revoked, expires }: Pick<SecretKey, 'revoked' | 'expires'>): boolean {
  return revoked === null && (expires === null || Date.parse(expires) > Date.now())
}

/** Returns the status of a key, in words. */
export function keyStatus(key: Pick<SecretKey, 'revoked' | 'expires'>): {
  tone: Tone
  label: string
} {
  if (key.revoked !== null) return { tone: 'bad', label: t('revoked') }
  if (!isUsable(key)) return { tone: 'calm', label: t('expired') }
  if (key.expires === null) return { tone: 'ok', label: t('ok_active') }
  return { tone: 'wait', label: t('expires_soon', { time: formatTime(key.expires) }) }
}

/** Returns what a key may do, in words. */
export function scopesText({ scopes }: Pick<SecretKey, 'scopes'>): string {
  return scopes === null ? t('everything') : scopes.join(', ')
}
