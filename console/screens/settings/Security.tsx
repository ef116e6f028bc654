import type { Factors } from '../../../shared/schemas/user-factors.ts'
import { useResource } from '../../api/resource.ts'
import { KeyValue, Section } from '../../ui/Details.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { t } from './settings-words.ts'

/** What the server asks of its users. */
export function Security() {
  const { data, error, reload } = useResource<{ factors: Factors }>('/console/factors')
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  const { policy, session, console_url: apart } = data.factors
  return (
    <>
      <Section title={t('policy_about')}>
        <KeyValue
          rows={[
            [t('policy'), t(`policy_${policy}`)],
            [t('session_hours'), t('hours', { count: session.hours })],
            [t('session_idle'), t('minutes', { count: session.idle_minutes })],
            [t('step_up_after'), t('minutes', { count: session.step_up_minutes })],
            [
              t('security_place'),
              apart === null
                ? t('security_shared')
                : t('security_apart', { host: new URL(apart).host }),
            ],
          ]}
        />
      </Section>
    </>
  )
}
