import type { Payment } from '../../../shared/schemas/payment.ts'
import type { Refund } from '../../../shared/schemas/refund.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { t } from './payments-words.ts'

interface StatusWord {
  tone: Tone
  label: string
}

/** Returns the word and tone of a payment's status. An unknown outcome is neither success nor failure. */
export function paymentStatus({ status, type }: Pick<Payment, 'status' | 'type'>): StatusWord {
  switch (status) {
    case 'SUCCESS':
      return { tone: 'ok', label: type === 'AUTH' ? t('authorized') : t('paid') }
    case 'DECLINE':
      return { tone: 'bad', label: t('declined') }
    case 'PENDING':
      return { tone: 'wait', label: t('pending') }
    case 'SCHEDULED':
      return { tone: 'news', label: t('scheduled') }
    case 'UNRESOLVED':
      return { tone: 'ask', label: t('checking') }
    case 'VOIDED':
      return { tone: 'calm', label: t('voided') }
    case 'CANCELLED':
      return { tone: 'calm', label: t('cancelled') }
  }
}

/** Returns the word and tone of a refund's or void's status. */
export function refundStatus(status: Refund['status']): StatusWord {
  switch (status) {
    case 'SUCCESS':
      return { tone: 'ok', label: t('succeeded') }
    case 'PENDING':
      return { tone: 'wait', label: t('pending') }
    case 'UNRESOLVED':
      return { tone: 'ask', label: t('checking') }
    default:
      return { tone: 'bad', label: t('declined') }
  }
}
