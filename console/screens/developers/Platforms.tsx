import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { OauthGrant } from '../../../shared/schemas/oauth-grant.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyText, KeyValue } from '../../ui/Details.tsx'
import { Ago, formatAgo, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { DeveloperTabs } from './DeveloperTabs.tsx'
import { t } from './platforms-words.ts'

/** The platforms that may act for the shop. A row opens a panel where access ends. */
export function Platforms() {
  const list: ListDefinition<OauthGrant> = {
    name: 'oauth_grants',
    title: t('platforms'),
    id: ({ id }) => id,
    href: ({ id }) => `/developers/platforms?at=${id}`,
    tabs: [{ id: 'all', label: t('platforms'), criteria: '' }],
    columns: [
      { id: 'client', label: t('platform'), small: 'title', cell: ({ client }) => client.name },
      {
        id: 'scopes',
        label: t('may_do'),
        small: 'below',
        cell: ({ scopes }) => scopes.join(', '),
      },
      { id: 'user', label: t('approved_by'), small: 'none', cell: ({ user }) => user.email },
      {
        id: 'last_used',
        label: t('last_used'),
        end: true,
        small: 'end',
        field: 'last_used',
        cell: ({ last_used }) => <Ago at={last_used} />,
      },
      {
        id: 'created',
        label: t('approved'),
        end: true,
        field: 'created',
        cell: ({ created }) => <Ago at={created} />,
      },
    ],
    filters: [],
    empty: { text: t('empty_platforms') },
    peek: (grant) => <Platform key={grant.id} grant={grant} />,
  }
  return (
    <>
      <DeveloperTabs current="platforms" />
      <ListScreen list={list} />
    </>
  )
}

function Platform({
  grant: { id, client, user, scopes, created, last_used },
}: {
  grant: OauthGrant
}) {
  const { api, timezone } = useInstance()
  const { path, route } = useLocation()
  const canEnd = usePermission('grants:write')
  const [asking, setAsking] = useState(false)
  const end = useAction(async () => {
    await request('DELETE', api(`/oauth_grants/${id}`))
    setAsking(false)
    route(path, true)
    invalidate((address) => address.startsWith(api('/oauth_grants')))
    toast(t('ended'))
  })
  return (
    <>
      <h2>{client.name}</h2>
      <KeyValue
        rows={[
          [t('may_do'), scopes.join(', ')],
          [t('approved_by'), user.email],
          [t('approved'), formatTime(created, timezone)],
          [t('last_used'), <Ago key="used" at={last_used} />],
        ]}
      />
      <CopyText text={client.id} />
      {canEnd && (
        <Button kind="danger" icon="ban" onClick={() => setAsking(true)}>
          {t('end')}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={t('end_title')}
          label={t('end')}
          action={end}
          onClose={() => setAsking(false)}
        >
          <p>{t('end_explain', { client: client.name })}</p>
          <p>
            <b>
              {last_used === null ? t('never_used') : t('used_ago', { time: formatAgo(last_used) })}
            </b>
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
