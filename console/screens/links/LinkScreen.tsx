import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { t as common } from '../../shell/common-words.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { CopyText, copyText, KeyValue, Section } from '../../ui/Details.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Banner, ErrorPanel, errorTitle, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { customerText } from '../customers/customer-name.tsx'
import { Timeline } from '../timeline/Timeline.tsx'
import { linkAmount, type ListedLink } from './listed-link.ts'
import { linkStatus } from './link-status.ts'
import { t } from './links-words.ts'
import './links.css'

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
    return read.error ? <ErrorPanel error={read.error} retry={read.reload} /> : <Skeleton />
  return <LinkDetails link={link} />
}

function LinkDetails({ link }: { link: ListedLink }) {
  const instance = useInstance()
  const { path, query, route } = useLocation()
  const canWrite = usePermission('payment_links:write')
  const unresolved = link.payment?.status === 'UNRESOLVED'
  const { tone, label } = linkStatus(link, unresolved)
  const isOpen = link.status === 'ACTIVE' && link.archived === null
  return (
    <div class="link-screen">
      <ScreenHead
        title={link.options.name ?? t('no_name')}
        back={{ label: t('title'), href: instance.screen('/links') }}
      >
        {canWrite && (
          <>
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
      <div class="link-columns">
        <div>
          <p class="link-amount">
            <b>{linkAmount(link, instance)}</b> <Pill tone={tone}>{label}</Pill>
          </p>
          {unresolved && <Banner tone="ask">{t('still_checking')}</Banner>}
          <LinkAddress link={link} />
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
                    <a href={instance.screen(`/payments/${link.payment.id}`)}>
                      {link.payment.reference}
                    </a>
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
                  link.expires === null
                    ? t('ends_never')
                    : formatTime(link.expires, instance.timezone),
                ],
                link.archived !== null && [
                  t('archived_at'),
                  formatTime(link.archived, instance.timezone),
                ],
              ]}
            />
          </Section>
          <Timeline of={link.id} />
        </div>
        <div>
          <Section title={t('shown_to_payer')}>
            <KeyValue
              rows={[
                [t('reference_label'), link.options.alt_key ?? link.options.default_alt_key ?? '–'],
                [t('comment_above'), link.options.page_intro ?? '–'],
                [t('back_page'), link.options.success_url ?? '–'],
                [t('channel_label'), link.options.channel ?? '–'],
              ]}
            />
          </Section>
          <Section title="API">
            <CopyText text={link.id} />
          </Section>
        </div>
      </div>
      {query['do'] === 'archive' && <ArchiveDialog link={link} onClose={() => route(path, true)} />}
    </div>
  )
}

/** The address with everything to share it. */
export function LinkAddress({ link }: { link: Pick<ListedLink, 'url' | 'id'> }) {
  const [embedding, setEmbedding] = useState(false)
  const qr = `${new URL(link.url).pathname}/qr.svg`
  return (
    <>
      <div class="link-address">
        <input
          readOnly
          aria-label={t('url')}
          value={link.url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button kind="primary" icon="copy" keys="C" onClick={() => void copyText(link.url)}>
          {common('copy')}
        </Button>
      </div>
      <div class="link-share">
        <img src={qr} alt={t('qr')} width={116} height={116} />
        <ul>
          <li>
            <ButtonLink kind="plain" icon="qr-code" href={qr} download={`${link.id}.svg`}>
              {t('qr')}
            </ButtonLink>
          </li>
          <li>
            <ButtonLink kind="plain" icon="external-link" href={link.url} target="_blank">
              {t('open_as_payer')}
            </ButtonLink>
          </li>
          <li>
            <Button kind="plain" icon="code-xml" onClick={() => setEmbedding(true)}>
              {t('embed')}
            </Button>
          </li>
          {'share' in navigator && (
            <li>
              <Button
                kind="plain"
                icon="share-2"
                onClick={() => void navigator.share({ url: link.url }).catch(() => {})}
              >
                {t('share')}
              </Button>
            </li>
          )}
        </ul>
      </div>
      {embedding && <EmbedDialog id={link.id} url={link.url} onClose={() => setEmbedding(false)} />}
    </>
  )
}

function EmbedDialog({ id, url, onClose }: { id: string; url: string; onClose: () => void }) {
  const { origin } = new URL(url)
  const snippet = `<script async src="${origin}/widget.js"></script>\n<checkstand-checkout link="${id}"></checkstand-checkout>`
  return (
    <Dialog title={t('embed')} onClose={onClose} wide>
      <p>{t('embed_explain')}</p>
      <pre tabIndex={0} class="snippet">
        {snippet}
      </pre>
      <Button icon="copy" onClick={() => void copyText(snippet)}>
        {common('copy')}
      </Button>
    </Dialog>
  )
}

function ArchiveDialog({ link, onClose }: { link: ListedLink; onClose: () => void }) {
  const instance = useInstance()
  const archive = useAction(async () => {
    await request('DELETE', instance.api(`/payment_links/${link.id}`))
    invalidate((path) => path.startsWith(instance.api('/payment_links')))
    toast(t('archived_count', { count: 1 }))
    onClose()
  })
  return (
    <Dialog
      title={t('archive_title')}
      onClose={onClose}
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button kind="danger" busy={archive.busy} onClick={() => void archive.run()}>
            {t('archive')}
          </Button>
        </>
      }
    >
      {archive.error && <Banner tone="bad">{errorTitle(archive.error)}</Banner>}
      <p>{t('archive_explain')}</p>
    </Dialog>
  )
}
