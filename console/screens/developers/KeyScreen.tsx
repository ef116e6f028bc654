import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { ActorSession } from '../../../shared/schemas/actor-session.ts'
import type { SecretKey } from '../../../shared/schemas/secret-key.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Ago, formatAgo, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { AddressesDialog } from './AddressesDialog.tsx'
import './developers.css'
import { isUsable, keyStatus, scopesText } from './key-status.ts'
import { KeySecretDialog } from './KeySecretDialog.tsx'
import { t } from './keys-words.ts'

/** One secret key. */
export function KeyScreen() {
  const { api } = useInstance()
  const { params } = useRoute()
  const { data, error, reload } = useResource<{ secret_key: SecretKey }>(
    api(`/secret_keys/${encodeURIComponent(params['id'] ?? '')}?expand=created_session`),
  )
  if (!data) return error ? <ErrorPanel isScreen error={error} retry={reload} /> : <Skeleton />
  return <KeyDetails secretKey={data.secret_key} />
}

function KeyDetails({ secretKey }: { secretKey: SecretKey }) {
  const { api, screen, timezone } = useInstance()
  const canWrite = usePermission('keys:write') && isUsable(secretKey)
  const [dialog, setDialog] = useState<'rotate' | 'revoke' | 'addresses'>()
  const [made, setMade] = useState<SecretKey>()
  const refresh = () => invalidate((path) => path.startsWith(api('/secret_keys')))
  const rotate = useAction(async (key) => {
    const answer = await request<{ secret_key: SecretKey }>('POST', api('/secret_keys'), {
      key,
      body: { secret_key: { replaces: secretKey.id } },
    })
    setDialog(undefined)
    setMade(answer.secret_key)
    refresh()
  })
  const revoke = useAction(async () => {
    await request('DELETE', api(`/secret_keys/${secretKey.id}`))
    setDialog(undefined)
    refresh()
    toast(t('revoked'))
  })
  const { tone, label } = keyStatus(secretKey)
  const { prefix, last4, last_used: used, created_session: session } = secretKey
  const action = dialog === 'rotate' ? rotate : revoke
  return (
    <>
      <ScreenHead
        title={secretKey.name ?? t('no_name')}
        back={{ label: t('keys'), href: screen('/developers/keys') }}
      >
        <Pill tone={tone}>{label}</Pill>
        {canWrite && (
          <>
            <Button icon="globe" onClick={() => setDialog('addresses')}>
              {t('addresses_change')}
            </Button>
            <Button icon="refresh-cw" onClick={() => setDialog('rotate')}>
              {t('rotate')}
            </Button>
            <Button icon="ban" onClick={() => setDialog('revoke')}>
              {t('revoke')}
            </Button>
          </>
        )}
      </ScreenHead>
      <div class="developer-record">
        <Section title={t('key')}>
          <KeyValue
            rows={[
              [t('key'), <code key="key">{t('begins_ends', { prefix, last4 })}</code>],
              [t('access'), scopesText(secretKey)],
              [t('addresses'), secretKey.allowed_addresses?.join(', ') ?? t('addresses_any')],
              [t('last_used'), <Ago key="used" at={used} />],
              [t('expires'), timeOr(secretKey.expires, t('never'), timezone)],
              secretKey.revoked !== null && [t('revoked'), formatTime(secretKey.revoked, timezone)],
              [t('created'), formatTime(secretKey.created, timezone)],
              session !== null && [t('created_from'), makerText(session)],
            ]}
          />
          <CopyText text={secretKey.id} />
        </Section>
      </div>
      {dialog === 'addresses' && (
        <AddressesDialog secretKey={secretKey} onClose={() => setDialog(undefined)} />
      )}
      {(dialog === 'rotate' || dialog === 'revoke') && (
        <ConfirmDialog
          title={t(dialog === 'rotate' ? 'rotate_title' : 'revoke_title')}
          label={t(dialog)}
          kind={dialog === 'revoke' ? 'danger' : 'primary'}
          action={action}
          onClose={() => setDialog(undefined)}
        >
          <p>{t(dialog === 'rotate' ? 'rotate_explain' : 'revoke_explain')}</p>
          {dialog === 'revoke' && (
            <p>
              <b>{used === null ? t('never_used') : t('used_ago', { time: formatAgo(used) })}</b>
            </p>
          )}
        </ConfirmDialog>
      )}
      {made && <KeySecretDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

function timeOr(instant: string | null, none: string, timezone: string | null | undefined): string {
  return instant === null ? none : formatTime(instant, timezone)
}

function makerText(session: string | ActorSession): string {
  return typeof session === 'string'
    ? session
    : [t(`maker_${session.type}`), session.ip].filter(Boolean).join(' · ')
}
