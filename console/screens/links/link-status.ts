import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { t } from './links-words.ts'

/** Returns the word and tone of a link's status. `unresolved`: the outcome of its payment is unknown. */
export function linkStatus(
  { status, archived }: Pick<PaymentLink, 'status' | 'archived'>,
  unresolved: boolean,
): { tone: Tone; label: string } {
  if (unresolved) return { tone: 'ask', label: t('checking') }
  if (status === 'PAYMENT_SUCCESS') return { tone: 'ok', label: t('paid') }
  if (status === 'PAYMENT_PENDING') return { tone: 'wait', label: t('pending') }
  if (archived !== null) return { tone: 'calm', label: t('archived') }
  if (status === 'EXPIRED') return { tone: 'bad', label: t('expired') }
  return { tone: 'news', label: t('active') }
}
