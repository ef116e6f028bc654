import type { ComponentChildren } from 'preact'
import { useInstance } from '../../address.ts'
import { boot } from '../../boot.ts'
import { t as common } from '../../shell/common-words.ts'
import { Pill } from '../../ui/Pill.tsx'
import { t } from '../links/links-words.ts'
import './start.css'

/** The frame of the first minute: the form, and beside it what payers see. */
export function StartFrame({
  children,
  aside,
}: {
  children: ComponentChildren
  aside?: ComponentChildren
}) {
  const { mode, screen } = useInstance()
  return (
    <div class={aside ? 'start has-aside' : 'start'}>
      <div class="start-main">
        <header aria-label="Checkstand">
          <span class="instance-mark" aria-hidden="true">
            C
          </span>
          <b>Checkstand</b>
          <span class="muted">{boot.user.email}</span>
        </header>
        <main id="content" aria-labelledby="screen-title">
          {children}
        </main>
        {mode === 'TEST' && (
          <footer>
            <Pill tone="wait" plain>
              {common('test')}
            </Pill>{' '}
            <span>
              {t('start_test')} <a href={screen('/settings/processors')}>{t('start_connect')}</a>
            </span>
          </footer>
        )}
      </div>
      {aside && <aside class="start-aside">{aside}</aside>}
    </div>
  )
}
