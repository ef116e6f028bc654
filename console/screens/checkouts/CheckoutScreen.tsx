import { useRoute } from 'preact-iso'
import type { CheckoutRecord } from '../../../shared/schemas/checkout-record.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { Money } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Timeline } from '../timeline/Timeline.tsx'
import { checkoutStatus, languageText } from './Checkouts.tsx'
import { PageAsSeen } from './PageAsSeen.tsx'
import { t } from './checkouts-words.ts'
import '../payments/payments.css'

/** One visit of a payer. */
export function CheckoutScreen() {
  const { api, screen } = useInstance()
  const { params } = useRoute()
  const { data, error, reload } = useResource<{ checkout: CheckoutRecord }>(
    api(`/checkouts/${encodeURIComponent(params['id'] ?? '')}?expand=payment_link`),
  )
  const checkout = data?.checkout
  if (!checkout) return error ? <ErrorPanel isScreen error={error} retry={reload} /> : <Skeleton />
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
          <Timeline of={checkout.id} />
          <PageAsSeen checkout={checkout.id} />
        </div>
        <div>
          <Section title={t('checkout')}>
            <KeyValue
              rows={[
                [t('amount'), <Money amount={checkout.amount} currency={checkout.currency} />],
                [t('language'), languageText(checkout.language)],
                [t('branding'), checkout.branding ?? '–'],
                [t('embedded_at'), checkout.embedded_origin ?? '–'],
                link !== null &&
                  typeof link !== 'string' && [
                    t('link'),
                    <a href={screen(`/links/${link.id}`)}>{link.options.name ?? t('link')}</a>,
                  ],
              ]}
            />
            <CopyText text={checkout.id} />
          </Section>
        </div>
      </div>
    </>
  )
}
