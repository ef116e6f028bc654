import type { Factors } from '../../../shared/schemas/user-factors.ts'
import { useResource } from '../../api/resource.ts'
import { TextField } from '../../ui/Field.tsx'
import { KeyValue, Section } from '../../ui/Details.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** What the server asks of its users, and when the instance asks once more. */
export function Security() {
  const { data, error, reload } = useResource<{ factors: Factors }>('/console/factors')
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  const { policy, session, console_url: apart } = data.factors
  return (
    <>
      <InstanceForm>
        {({ step_up_refund: limit, default_currency: currency }, change, disabled) => (
          <TextField
            label={t('step_up_refund')}
            hint={t('step_up_refund_hint', { currency })}
            inputMode="decimal"
            dir="ltr"
            suffix={currency}
            value={limit ?? ''}
            disabled={disabled}
            onInput={(typed) =>
              change({ step_up_refund: typed.trim() === '' ? null : typed.trim() })
            }
          />
        )}
      </InstanceForm>
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
