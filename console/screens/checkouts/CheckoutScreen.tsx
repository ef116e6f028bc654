import { useRoute } from 'preact-iso'
import type { CheckoutRecord } from '../../../shared/schemas/checkout-record.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { Money } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { formatTime } from '../../ui/Time.tsx'
import { paymentStatus } from '../payments/payment-status.ts'
import { checkoutStatus, languageText } from './Checkouts.tsx'
import { t } from './checkouts-words.ts'
import '../payments/payments.css'

const MILESTONES = [
  'opened',
  'details_done',
  'method_chosen',
  'submitted',
  'challenged',
  'completed',
] as const

/** One visit of a payer. */
export function CheckoutScreen() {
  const { api, screen, timezone } = useInstance()
  const { params } = useRoute()
  const { data, error, reload } = useResource<{ checkout: CheckoutRecord }>(
    api(`/checkouts/${encodeURIComponent(params['id'] ?? '')}`),
  )
  const checkout = data?.checkout
  if (!checkout) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  const { tone, label } = checkoutStatus(checkout)
  const { payment_link: link } = checkout
  return (
    <>
      <ScreenHead
        title={checkout.alt_key ?? t('checkout')}
        back={{ label: t('title'), href: screen('/checkouts') }}
      >
        <Pill tone={tone}>{label}</Pill>
      </ScreenHead>
      <div class="payment-columns">
        <div>
          <Section title={t('stages')}>
            <KeyValue
              rows={MILESTONES.map((stage) => {
                const at = checkout.milestones[stage]
                return [t(stage), at === null ? '–' : formatTime(at, timezone)] as const
              })}
            />
          </Section>
          <Section title={t('attempts')}>
            <table class="plain-table">
              <tbody>
                {checkout.attempts.map(({ payment, status, created }) => {
                  const shown = paymentStatus({ status, type: 'PAYMENT' })
                  return (
                    <tr key={payment}>
                      <td>
                        <a href={screen(`/payments/${payment}`)}>{formatTime(created, timezone)}</a>
                      </td>
                      <td>
                        <Pill tone={shown.tone}>{shown.label}</Pill>
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </Section>
        </div>
        <Section title={t('checkout')}>
          <KeyValue
            rows={[
              [t('amount'), <Money amount={checkout.amount} currency={checkout.currency} />],
              [t('language'), languageText(checkout.language)],
              [t('branding'), checkout.branding ?? '–'],
              [t('embedded_at'), checkout.embedded_origin ?? '–'],
              typeof link === 'string' && [
                t('link'),
                <a href={screen(`/links/${link}`)}>
                  <code>{link}</code>
                </a>,
              ],
            ]}
          />
          <CopyText text={checkout.id} />
        </Section>
      </div>
    </>
  )
}
