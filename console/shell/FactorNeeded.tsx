import type { ComponentChildren } from 'preact'
import { useInstance } from '../address.ts'
import { boot } from '../boot.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { ScreenHead } from '../ui/Tabs.tsx'
import { t } from './session-words.ts'

/** Draws a screen, or what is missing where the policy of the server requires a second factor. */
export function WithSecondFactor({
  isRequired,
  children,
}: {
  /** False for the screen that adds one. */
  isRequired: boolean
  children: ComponentChildren
}) {
  const { mode } = useInstance()
  const { missingFactor: missing } = boot.session
  if (!isRequired || missing === null || (missing === 'live' && mode === 'TEST'))
    return <>{children}</>
  return (
    <>
      <ScreenHead title={t('factor_title')} />
      <div class="empty">
        <p>{t(`factor_${missing}`)}</p>
        <ButtonLink kind="primary" icon="shield" href="/console/me">
          {t('factor_add')}
        </ButtonLink>
      </div>
    </>
  )
}
