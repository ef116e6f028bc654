import { useInstance } from '../../address.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { t } from './links-words.ts'

/** Leads from the links that are paid once to those that many payers use, and back. */
export function LinkKinds({ current }: { current: 'links' | 'deep' }) {
  const { screen } = useInstance()
  return current === 'links' ? (
    <ButtonLink href={screen('/links/deep')}>{t('deep_title')}</ButtonLink>
  ) : (
    <ButtonLink href={screen('/links')}>{t('paid_once')}</ButtonLink>
  )
}
