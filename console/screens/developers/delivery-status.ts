import type { Delivery } from '../../../shared/schemas/webhook.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { t } from './developers-words.ts'

/** Returns the status of a delivery, in words. */
export function deliveryStatus({ status }: Delivery): { tone: Tone; label: string } {
  if (status === 'DELIVERED') return { tone: 'ok', label: t('delivered') }
  if (status === 'FAILED') return { tone: 'bad', label: t('failed') }
  return { tone: 'wait', label: t('waiting') }
}
