import type { Account } from '../../../shared/schemas/account.ts'
import type { DeepLink } from '../../../shared/schemas/deep-link.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { t } from './deep-links-words.ts'

/** A deep link as the screens ask for it. */
export type ShownDeepLink = Omit<DeepLink, 'account'> & { account: Account | null }

/** Returns the word and tone of a deep link's status. */
export function deepLinkStatus({ status, archived }: Pick<DeepLink, 'status' | 'archived'>): {
  tone: Tone
  label: string
} {
  if (archived !== null) return { tone: 'calm', label: t('status_ARCHIVED') }
  const tone = { ACTIVE: 'news', EXHAUSTED: 'ok', EXPIRED: 'bad' } as const
  return { tone: tone[status], label: t(`status_${status}`) }
}

/** Returns how often it was used, and how often it can be. */
export const usesText = ({ uses, max_uses: max }: Pick<DeepLink, 'uses' | 'max_uses'>): string =>
  max === null ? t('uses', { count: uses }) : t('uses_of', { uses, max })

/** Returns the name of a link that takes payments, else what it is for. */
export const deepLinkName = ({ action, options }: Pick<DeepLink, 'action' | 'options'>): string =>
  options.name ?? t(`action_${action}`)
