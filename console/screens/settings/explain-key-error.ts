import type { RequestError } from '../../api/request.ts'
import { explainError } from '../../ui/States.tsx'
import { t } from './processors-words.ts'

/** Says in the words of the console why keys of Stripe were refused. */
export function explainKeyError(error: RequestError): string {
  const { message, type } = error
  if (message.includes('read the account')) return t('refused_account')
  if (message.includes('is not accepted by')) return t('refused_key')
  if (message.includes('is of another account')) return t('refused_another')
  return type === 'DUPLICATE' ? t('refused_twice') : explainError(error)
}
