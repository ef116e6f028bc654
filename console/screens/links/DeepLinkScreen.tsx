import { useLocation, useRoute } from 'preact-iso'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { CopyText, Section } from '../../ui/Details.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Banner, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { ArchiveDeepLink } from './ArchiveDeepLink.tsx'
import { deepLinkName, deepLinkStatus, type ShownDeepLink } from './deep-link-status.ts'
import { t } from './deep-links-words.ts'
import { DeepLinkDetails } from './DeepLinkDetails.tsx'
import { DeepLinkLimits } from './DeepLinkLimits.tsx'
import { DeepLinkPayments } from './DeepLinkPayments.tsx'
import { LinkAddress } from './LinkAddress.tsx'
import { linkAmount } from './listed-link.ts'
import './links.css'

/**
 * One deep link: its address, how often it was used, and who paid. `?do=archive` asks before it is
 * archived, `?do=limits` changes how long and how often a task can be done.
 */
export function DeepLinkScreen() {
  const instance = useInstance()
  const { params } = useRoute()
  const { path, query, route } = useLocation()
  const canWrite = usePermission('payment_links:write')
  const read = useResource<{ deep_link: ShownDeepLink }>(
    instance.api(`/deep_links/${encodeURIComponent(params['id'] ?? '')}?expand=account`),
  )
  const link = read.data?.deep_link
  if (!link) {
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  }
  const { tone, label } = deepLinkStatus(link)
  const takesPayments = link.action === 'PAY' || link.action === 'PAY_CHARGES'
  const closed = link.archived === null ? link.status : 'ARCHIVED'
  const close = () => route(path, true)
  return (
    <div class="link-screen">
      <ScreenHead
        title={deepLinkName(link)}
        back={{ label: t('title'), href: instance.screen('/links/deep') }}
      >
        {canWrite && (
          <>
            {link.archived === null && (
              <Button icon="archive" onClick={() => route(`${path}?do=archive`, true)}>
                {t('archive')}
              </Button>
            )}
            {link.action === 'PAY' && (
              <ButtonLink icon="copy" href={instance.screen(`/links/new?from=${link.id}`)}>
                {t('duplicate')}
              </ButtonLink>
            )}
            {link.archived === null &&
              (link.action === 'PAY' ? (
                <ButtonLink icon="pencil" href={instance.screen(`/links/deep/${link.id}/edit`)}>
                  {t('edit')}
                </ButtonLink>
              ) : (
                <Button icon="pencil" onClick={() => route(`${path}?do=limits`, true)}>
                  {t('edit')}
                </Button>
              ))}
          </>
        )}
      </ScreenHead>
      <div class="link-columns">
        <div>
          <p class="link-amount">
            <b>{link.action === 'PAY' ? linkAmount(link, instance) : t(`action_${link.action}`)}</b>{' '}
            <Pill tone={tone}>{label}</Pill>
          </p>
          {closed === 'ACTIVE' ? (
            <LinkAddress link={link} />
          ) : (
            <>
              <Banner tone="news">{t(`closed_${closed}`)}</Banner>
              <CopyText text={link.url} />
            </>
          )}
          {closed === 'ACTIVE' && link.action !== 'PAY' && (
            <Banner tone="wait">{t('careful')}</Banner>
          )}
          {takesPayments && <DeepLinkPayments id={link.id} />}
        </div>
        <Section title={t('how_it_goes')}>
          <DeepLinkDetails link={link} />
          <CopyText text={link.id} />
        </Section>
      </div>
      {canWrite && query['do'] === 'archive' && <ArchiveDeepLink link={link} onClose={close} />}
      {canWrite && query['do'] === 'limits' && <DeepLinkLimits link={link} onClose={close} />}
    </div>
  )
}
