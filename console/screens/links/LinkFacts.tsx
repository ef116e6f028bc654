import { useInstance } from '../../address.ts'
import { KeyValue, Section } from '../../ui/Details.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { customerText } from '../customers/customer-name.tsx'
import type { ListedLink } from './listed-link.ts'
import { t } from './links-words.ts'

/** How far a link has come. */
export function HowItGoes({ link }: { link: ListedLink }) {
  const instance = useInstance()
  return (
    <Section title={t('how_it_goes')}>
      <KeyValue
        rows={[
          [t('made'), formatTime(link.created, instance.timezone)],
          [t('opened'), link.opened === null ? t('never') : <Ago at={link.opened} />],
          link.last_opened !== null && [t('last_seen'), <Ago at={link.last_opened} />],
          [t('attempts'), t('tries', { count: link.attempts })],
          [
            t('paid_on'),
            link.payment ? (
              <a href={instance.screen(`/payments/${link.payment.id}`)}>{link.payment.reference}</a>
            ) : (
              t('not_yet')
            ),
          ],
          link.account && [
            t('customer'),
            <a href={instance.screen(`/customers/${link.account.id}`)}>
              {customerText(link.account)}
            </a>,
          ],
          [
            t('ends'),
            link.expires === null ? t('ends_never') : formatTime(link.expires, instance.timezone),
          ],
          link.archived !== null && [
            t('archived_at'),
            formatTime(link.archived, instance.timezone),
          ],
        ]}
      />
    </Section>
  )
}

/** What a link says to its payer. */
export function ShownToPayer({ link: { options } }: { link: ListedLink }) {
  return (
    <Section title={t('shown_to_payer')}>
      <KeyValue
        rows={[
          [t('reference_label'), options.alt_key ?? options.default_alt_key ?? '–'],
          [t('comment_above'), options.page_intro ?? '–'],
          [t('back_page'), options.success_url ?? '–'],
          [t('channel_label'), options.channel ?? '–'],
        ]}
      />
    </Section>
  )
}
