import { useLocation, useRoute } from 'preact-iso'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { CopyText, Section } from '../../ui/Details.tsx'
import { Json } from '../../ui/Json.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ActionError, Banner, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.ts'
import { Timeline } from '../timeline/Timeline.tsx'
import { ArchiveDialog, SendDialog } from './LinkDialogs.tsx'
import { LinkAddress } from './LinkAddress.tsx'
import { HowItGoes, ShownToPayer } from './LinkFacts.tsx'
import { linkAmount, type ListedLink } from './listed-link.ts'
import { linkStatus } from './link-status.ts'
import { t } from './links-words.ts'
import './links.css'

const WEEK_MS = 7 * 86_400_000

/** One link: its address, how it goes, and what the payer is shown. */
export function LinkScreen() {
  const instance = useInstance()
  const { params } = useRoute()
  const id = params['id'] ?? ''
  const read = useResource<{ payment_link: ListedLink }>(
    instance.api(`/payment_links/${encodeURIComponent(id)}?expand=account,payment`),
  )
  const link = read.data?.payment_link
  if (!link)
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  return <LinkDetails link={link} />
}

function LinkDetails({ link }: { link: ListedLink }) {
  const instance = useInstance()
  const { path, query, route } = useLocation()
  const canWrite = usePermission('payment_links:write')
  const unresolved = link.payment?.status === 'UNRESOLVED'
  const { tone, label } = linkStatus(link, unresolved)
  const isOpen = link.status === 'ACTIVE' && link.archived === null
  const close = () => route(path, true)
  const extend = useAction(async (key) => {
    const expires = new Date(Date.now() + WEEK_MS).toISOString()
    await request('PUT', instance.api(`/payment_links/${link.id}`), {
      key,
      ifMatch: link.v,
      body: { payment_link: { expires } },
    })
    invalidate((one) => one.startsWith(instance.api('/payment_links')))
    toast(t('extended'))
  })
  return (
    <div class="link-screen">
      <ScreenHead
        title={link.options.name ?? t('no_name')}
        back={{ label: t('title'), href: instance.screen('/links') }}
      >
        {canWrite && (
          <>
            {isOpen && (
              <Button icon="mail" onClick={() => route(`${path}?do=send`, true)}>
                {t('send')}
              </Button>
            )}
            {link.status === 'EXPIRED' && link.archived === null && (
              <Button icon="clock" busy={extend.busy} onClick={() => void extend.run()}>
                {t('extend')}
              </Button>
            )}
            {link.archived === null && link.status !== 'PAYMENT_SUCCESS' && (
              <Button icon="archive" onClick={() => route(`${path}?do=archive`, true)}>
                {t('archive')}
              </Button>
            )}
            <ButtonLink icon="copy" href={instance.screen(`/links/new?from=${link.id}`)}>
              {t('duplicate')}
            </ButtonLink>
            {(isOpen || link.status === 'EXPIRED') && link.archived === null && (
              <ButtonLink icon="pencil" href={instance.screen(`/links/${link.id}/edit`)}>
                {t('edit')}
              </ButtonLink>
            )}
          </>
        )}
      </ScreenHead>
      {extend.error && (
        <div class="editor-error">
          <ActionError error={extend.error} />
        </div>
      )}
      <div class="link-columns">
        <div>
          <p class="link-amount">
            <b>{linkAmount(link, instance)}</b> <Pill tone={tone}>{label}</Pill>
          </p>
          {unresolved && <Banner tone="ask">{t('still_checking')}</Banner>}
          <LinkAddress link={link} />
          <HowItGoes link={link} />
          <Timeline of={link.id} />
        </div>
        <div>
          <ShownToPayer link={link} />
          <Section title="API">
            <CopyText text={link.id} />
            <Json record={link} />
          </Section>
        </div>
      </div>
      {query['do'] === 'archive' && <ArchiveDialog link={link} onClose={close} />}
      {query['do'] === 'send' && (
        <SendDialog link={link} email={link.account?.email ?? ''} onClose={close} />
      )}
    </div>
  )
}
