import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { Section } from '../../ui/Details.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { customerName } from '../customers/customer-name.tsx'
import { t } from './deep-links-words.ts'
import { linkStatus } from './link-status.ts'
import { linkAmount, type ListedLink } from './listed-link.ts'

/** The payment links that payers of a deep link have made, newest first. */
export function DeepLinkPayments({ id }: { id: string }) {
  const instance = useInstance()
  const { data, error, reload } = useResource<{
    payment_links: ListedLink[]
    meta: { total: number }
  }>(instance.api(`/deep_links/${id}/payment_links?limit=20&expand=account,payment`))
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton rows={3} />
  return (
    <Section title={t('payers')}>
      {data.payment_links.length === 0 ? (
        <p class="muted">{t('no_payers')}</p>
      ) : (
        <table class="plain-table">
          <tbody>
            {data.payment_links.map((link) => {
              const { payment } = link
              const { tone, label } = linkStatus(link, payment?.status === 'UNRESOLVED')
              return (
                <tr key={link.id}>
                  <td>
                    <a href={instance.screen(`/links/${link.id}`)}>
                      {payment
                        ? formatMoney(payment.amount, payment.currency)
                        : linkAmount(link, instance)}
                    </a>
                  </td>
                  <td>
                    <Pill tone={tone}>{label}</Pill>
                  </td>
                  <td>{customerName(link.account)}</td>
                  <td>
                    <Ago at={link.created} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {data.meta.total > data.payment_links.length && (
        <p class="muted">
          {t('newest', { shown: data.payment_links.length, total: data.meta.total })}
        </p>
      )}
    </Section>
  )
}
