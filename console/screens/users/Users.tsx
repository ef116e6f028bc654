import { useLocation } from 'preact-iso'
import { ROLES } from '../../../shared/rules/roles.ts'
import type { UserRecord } from '../../../shared/schemas/user.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { criteriaValue } from '../../list/list-address.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { SettingsTabs } from '../settings/SettingsTabs.tsx'
import { InviteUser } from './InviteUser.tsx'
import { factorsText, instancesText, roleText, userStatus } from './user-texts.ts'
import { UserPanel } from './UserPanel.tsx'
import { t } from './users-words.ts'

/** The people who work for the merchant. `?do=invite` opens the form for a new one. */
export function Users() {
  const { path, query, route } = useLocation()
  const canWrite = usePermission('users:write')
  const invite = canWrite && (
    <Button kind="primary" icon="plus" onClick={() => route(`${path}?do=invite`)}>
      {t('invite')}
    </Button>
  )
  const list: ListDefinition<UserRecord> = {
    name: 'users',
    title: t('users'),
    id: ({ id }) => id,
    href: ({ id }) => `/settings/users?at=${id}`,
    actions: invite,
    tabs: [
      { id: 'active', label: t('current'), criteria: 'disabled=N' },
      { id: 'disabled', label: t('disabled'), criteria: 'disabled=Y' },
    ],
    columns: [
      {
        id: 'name',
        label: t('name'),
        small: 'title',
        cell: ({ name, email }) => name ?? email,
      },
      { id: 'email', label: t('email'), small: 'none', field: 'email', cell: ({ email }) => email },
      { id: 'role', label: t('role'), small: 'below', cell: roleText },
      {
        id: 'instances',
        label: t('instances'),
        small: 'none',
        standard: false,
        cell: instancesText,
      },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (user) => <Pill tone={userStatus(user).tone}>{userStatus(user).label}</Pill>,
      },
      { id: 'factors', label: t('factors'), small: 'none', cell: factorsText },
      {
        id: 'last_seen',
        label: t('last_seen'),
        end: true,
        field: 'last_seen',
        cell: ({ last_seen }) => <Ago at={last_seen} />,
      },
    ],
    filters: [
      {
        field: 'role',
        label: t('role'),
        type: 'enum',
        options: ROLES.map((role) => ({ value: role, label: roleText({ role }) })),
      },
      { field: 'last_seen', label: t('last_seen'), type: 'date' },
    ],
    search: (text) => `email~=${criteriaValue(text)}`,
    empty: { text: t('empty_users'), action: invite },
    peek: (user) => <UserPanel key={user.id} user={user} />,
  }
  return (
    <>
      <SettingsTabs current="users" />
      <ListScreen list={list} />
      {query['do'] === 'invite' && canWrite && <InviteUser onClose={() => route(path, true)} />}
    </>
  )
}
