import { AUDIT_ACTIONS, AUDIT_ACTORS } from '../../../shared/rules/audit-actions.ts'
import type { AuditEntry } from '../../../shared/schemas/audit.ts'
import { useInstance } from '../../address.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { criteriaValue } from '../../list/list-address.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { CopyText, KeyValue } from '../../ui/Details.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { t } from './audit-words.ts'
import { SettingsTabs } from './SettingsTabs.tsx'

type Action = AuditEntry['action']
type WordOf<Name> = Name extends `${infer Area}.${infer Verb}` ? `action_${Area}_${Verb}` : never

/** Returns what was done, in words. */
const actionText = (action: Action) => t(`action_${action.replace('.', '_')}` as WordOf<Action>)

const whoText = ({ actor: { type, name } }: AuditEntry) => name ?? t(`actor_${type}`)

const of = (...areas: string[]) =>
  `action=${AUDIT_ACTIONS.filter((action) => areas.includes(action.split('.')[0] ?? '')).join(';')}`

/** The audit log of the shop, and of what concerns the merchant as a whole. */
export function Audit() {
  const list: ListDefinition<AuditEntry> = {
    name: 'audit',
    title: t('audit'),
    id: ({ id }) => id,
    href: ({ id }) => `/settings/audit?at=${id}`,
    order: 'at:desc',
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'sign_ins', label: t('sign_ins'), criteria: of('sign_in', 'session', 'recovery_code') },
      { id: 'keys', label: t('keys'), criteria: of('secret_key', 'grant', 'webhook') },
      { id: 'settings', label: t('settings'), criteria: of('instance', 'processor', 'user') },
      { id: 'money', label: t('money'), criteria: of('payment', 'refund') },
    ],
    columns: [
      { id: 'action', label: t('act'), small: 'title', cell: ({ action }) => actionText(action) },
      { id: 'who', label: t('who'), small: 'below', cell: whoText },
      {
        id: 'detail',
        label: t('detail'),
        standard: false,
        small: 'none',
        cell: ({ detail }) => detailText(detail),
      },
      { id: 'address', label: t('address'), small: 'none', cell: ({ ip }) => ip ?? '' },
      {
        id: 'when',
        label: t('when'),
        end: true,
        small: 'end',
        field: 'at',
        cell: ({ at }) => <Ago at={at} />,
      },
    ],
    filters: [
      {
        field: 'action',
        label: t('act'),
        type: 'enum',
        options: AUDIT_ACTIONS.map((value) => ({ value, label: actionText(value) })),
      },
      {
        field: 'actor_type',
        label: t('actor_type'),
        type: 'enum',
        options: AUDIT_ACTORS.map((value) => ({ value, label: t(`actor_${value}`) })),
      },
      { field: 'actor_name', label: t('who'), type: 'text' },
      { field: 'at', label: t('when'), type: 'date' },
    ],
    search: (text) =>
      `${/^[a-z]+_[0-9]/.test(text) ? 'about=' : 'actor_name~='}${criteriaValue(text)}`,
    empty: { text: t('empty_audit') },
    peek: (entry) => <Entry entry={entry} />,
  }
  return (
    <>
      <SettingsTabs current="audit" />
      <ListScreen list={list} />
    </>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { timezone } = useInstance()
  const { at, actor, action, about, ip, detail } = entry
  return (
    <>
      <h2>{actionText(action)}</h2>
      <KeyValue
        rows={[
          [t('when'), formatTime(at, timezone)],
          [t('who'), whoText(entry)],
          [t('actor_type'), t(`actor_${actor.type}`)],
          ip !== null && [t('address'), ip],
          about !== null && [t('about'), <CopyText key="about" text={about} />],
          Object.keys(detail).length > 0 && [t('detail'), detailText(detail)],
        ]}
      />
    </>
  )
}

/** Returns the details as `members: name, expires · rows: 3`, in the words of the API. */
function detailText(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ')
}
