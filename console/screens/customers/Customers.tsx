import { FIRST_LISTS } from '../../../shared/list-query.ts'
import type { Account, AccountChange } from '../../../shared/schemas/account.ts'
import { useInstance } from '../../address.ts'
import { request } from '../../api/request.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { criteriaValue } from '../../list/list-address.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { customerText } from './customer-name.tsx'
import { t } from './customers-words.ts'

export function accountStatus({ status }: Pick<Account, 'status'>): { tone: Tone; label: string } {
  if (status === 'ACTIVE') return { tone: 'ok', label: t('active') }
  if (status === 'PENDING') return { tone: 'wait', label: t('pending') }
  return { tone: 'calm', label: t('archived') }
}

/** All customers. */
export function Customers() {
  const { api } = useInstance()
  const canWrite = usePermission('accounts:write')
  const put = (id: string, account: AccountChange) =>
    request('PUT', api(`/accounts/${id}`), { body: { account } })
  const list: ListDefinition<Account> = {
    ...FIRST_LISTS.customers,
    title: t('title'),
    id: ({ id }) => id,
    href: ({ id }) => `/customers/${id}`,
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'active', label: t('active'), criteria: 'status=ACTIVE' },
      { id: 'pending', label: t('pending'), criteria: 'status=PENDING' },
      { id: 'archived', label: t('archived'), criteria: 'status=ARCHIVED' },
    ],
    columns: [
      { id: 'name', label: t('name'), small: 'title', cell: customerText },
      { id: 'email', label: t('email'), small: 'below', cell: ({ email }) => email ?? '–' },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (account) => {
          const { tone, label } = accountStatus(account)
          return <Pill tone={tone}>{label}</Pill>
        },
      },
      {
        id: 'created',
        label: t('created'),
        end: true,
        small: 'end',
        field: 'created',
        cell: ({ created }) => <Ago at={created} />,
      },
      {
        id: 'company',
        label: t('company'),
        standard: false,
        cell: ({ company }) => company ?? '–',
      },
      {
        id: 'key',
        label: t('key'),
        standard: false,
        cell: ({ crm_key }) => <code>{crm_key}</code>,
      },
      { id: 'tags', label: t('tags'), standard: false, cell: ({ tags }) => tags ?? '–' },
    ],
    filters: [
      { field: 'created', label: t('created'), type: 'date' },
      { field: 'last_name', label: t('name'), type: 'text' },
      { field: 'company', label: t('company'), type: 'text' },
      { field: 'crm_key', label: t('key'), type: 'text' },
    ],
    search: (text) =>
      text.includes('@') ? `email~=${criteriaValue(text)}` : `last_name~=${criteriaValue(text)}`,
    empty: { text: t('empty') },
    ...(canWrite && {
      bulk: [
        {
          label: t('add_tag'),
          icon: 'tag',
          key: 'T',
          title: (count) => t('add_tag_count', { count }),
          explain: t('add_tag_explain'),
          field: { label: t('tag'), hint: t('tag_hint') },
          run: ({ id, tags }, tag) => put(id, { tags: withTag(tags, tag) }),
          changes: ['/accounts'],
          done: (count) => t('tagged_count', { count }),
        },
        {
          label: t('archive'),
          icon: 'archive',
          title: (count) => t('archive_count', { count }),
          explain: t('archive_explain'),
          run: ({ id }) => put(id, { status: 'ARCHIVED' }),
          changes: ['/accounts'],
          done: (count) => t('archived_count', { count }),
          danger: true,
        },
      ],
    }),
  }
  return <ListScreen list={list} />
}

/** Adds a tag to tags separated by commas, once. */
function withTag(tags: string | null, tag: string): string {
  const own = (tags ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return [...new Set([...own, tag])].join(', ')
}
