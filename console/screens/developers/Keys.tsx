import { useLocation } from 'preact-iso'
import type { SecretKey } from '../../../shared/schemas/secret-key.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { AddKey } from './AddKey.tsx'
import { DeveloperTabs } from './DeveloperTabs.tsx'
import { keyStatus, scopesText } from './key-status.ts'
import { t } from './keys-words.ts'

/** The secret keys of the instance. `?do=add` opens the form for a new one. */
export function Keys() {
  const { path, query, route } = useLocation()
  const canWrite = usePermission('keys:write')
  const add = canWrite && (
    <Button kind="primary" icon="plus" onClick={() => route(`${path}?do=add`)}>
      {t('add_key')}
    </Button>
  )
  const list: ListDefinition<SecretKey> = {
    name: 'secret_keys',
    title: t('keys'),
    id: ({ id }) => id,
    href: ({ id }) => `/developers/keys/${id}`,
    actions: add,
    tabs: [
      { id: 'current', label: t('current'), criteria: 'revoked!' },
      { id: 'revoked', label: t('revoked'), criteria: 'revoked!!' },
    ],
    columns: [
      {
        id: 'name',
        label: t('name'),
        small: 'title',
        cell: ({ name }) => name ?? <span class="muted">{t('no_name')}</span>,
      },
      {
        id: 'key',
        label: t('key'),
        small: 'none',
        cell: ({ prefix, last4 }) => <code>{t('begins_ends', { prefix, last4 })}</code>,
      },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (key) => <Pill tone={keyStatus(key).tone}>{keyStatus(key).label}</Pill>,
      },
      { id: 'access', label: t('access'), small: 'below', cell: scopesText },
      {
        id: 'last_used',
        label: t('last_used'),
        end: true,
        field: 'last_used',
        cell: ({ last_used }) => <Ago at={last_used} />,
      },
      {
        id: 'created',
        label: t('created'),
        end: true,
        field: 'created',
        cell: ({ created }) => <Ago at={created} />,
      },
    ],
    filters: [],
    empty: { text: t('empty_keys'), action: add },
  }
  return (
    <>
      <DeveloperTabs current="keys" />
      <ListScreen list={list} />
      {query['do'] === 'add' && canWrite && <AddKey onClose={() => route(path, true)} />}
    </>
  )
}
