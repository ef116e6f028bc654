import { Icon } from '../../ui/Icon.tsx'
import type { PartProps } from './link-draft.ts'
import { t } from './links-words.ts'

/** What was checked of the draft so far. */
export function DraftChecks({ draft, problems }: Omit<PartProps, 'set'>) {
  const checks = [
    draft.amountKind !== 'free' &&
      draft.amount !== '' &&
      (['amount', t('check_amount', { currency: draft.currency })] as const),
    draft.after !== 'only' &&
      draft.successUrl !== '' &&
      (['successUrl', t('check_https')] as const),
    draft.expires !== '' && (['expires', t('check_future')] as const),
  ].filter((check) => check !== false)
  if (checks.length === 0) return null
  return (
    <>
      <h3>{t('checked')}</h3>
      <ul class="checks">
        {checks.map(([field, text]) => (
          <li key={field} class={problems[field] ? 'bad' : 'ok'}>
            <Icon name={problems[field] ? 'circle-alert' : 'check'} size={14} /> {text}
          </li>
        ))}
      </ul>
    </>
  )
}
