import { useLocation } from 'preact-iso'
import { useInstance } from '../../address.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermissions } from '../../shell/permissions.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { copyText } from '../../ui/Details.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { customerName } from '../customers/customer-name.tsx'
import { deepLinkName, deepLinkStatus, type ShownDeepLink, usesText } from './deep-link-status.ts'
import { t } from './deep-links-words.ts'
import { LinkKinds } from './LinkKinds.tsx'
import { linkAmount } from './listed-link.ts'
import { tasksOf } from './task-draft.ts'
import { TaskDialog } from './TaskDialog.tsx'

/** All deep links. `?do=task` opens the form for a task of one customer, `&account=acc_…` names them. */
export function DeepLinks() {
  const instance = useInstance()
  const { path, query, route } = useLocation()
  const permitted = usePermissions()
  const canWrite = permitted.has('payment_links:write')
  const canMakeTask = tasksOf(permitted).length > 0
  const make = canWrite && (
    <>
      {canMakeTask && (
        <Button icon="user" onClick={() => route(`${path}?do=task`)}>
          {t('new_task')}
        </Button>
      )}
      <ButtonLink kind="primary" icon="plus" href={instance.screen('/links/new?uses=many')}>
        {t('new_link')}
      </ButtonLink>
    </>
  )
  const list: ListDefinition<ShownDeepLink> = {
    name: 'deep_links',
    title: t('title'),
    id: ({ id }) => id,
    href: ({ id }) => `/links/deep/${id}`,
    expand: 'account',
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'active', label: t('status_ACTIVE'), criteria: 'status=ACTIVE' },
      { id: 'tasks', label: t('tasks'), criteria: 'action!=PAY' },
      { id: 'used', label: t('status_EXHAUSTED'), criteria: 'status=EXHAUSTED' },
      { id: 'expired', label: t('status_EXPIRED'), criteria: 'status=EXPIRED' },
      { id: 'archived', label: t('status_ARCHIVED'), criteria: 'archived!!' },
    ],
    columns: [
      {
        id: 'name',
        label: t('what'),
        cell: (link) => (
          <>
            {deepLinkName(link)}
            {link.slug !== null && <span class="reference">/go/{link.slug}</span>}
          </>
        ),
        small: 'title',
      },
      {
        id: 'amount',
        label: t('amount'),
        end: true,
        cell: (link, at) =>
          link.action === 'PAY' ? linkAmount(link, at) : <span class="muted">–</span>,
        small: 'end',
      },
      {
        id: 'status',
        label: t('status'),
        cell: (link) => {
          const { tone, label } = deepLinkStatus(link)
          return <Pill tone={tone}>{label}</Pill>
        },
        small: 'below',
      },
      { id: 'uses', label: t('used'), end: true, cell: usesText, small: 'end' },
      { id: 'customer', label: t('customer'), cell: ({ account }) => customerName(account) },
      {
        id: 'last_used',
        label: t('last_used'),
        end: true,
        field: 'last_used',
        cell: ({ last_used: at }) =>
          at === null ? <span class="muted">{t('never')}</span> : <Ago at={at} />,
      },
      {
        id: 'ends',
        label: t('ends'),
        end: true,
        standard: false,
        field: 'expires',
        cell: ({ expires }) => <Ago at={expires} />,
      },
      {
        id: 'created',
        label: t('created'),
        end: true,
        standard: false,
        field: 'created',
        cell: ({ created }) => <Ago at={created} />,
      },
    ],
    filters: [
      { field: 'created', label: t('created'), type: 'date' },
      { field: 'expires', label: t('ends'), type: 'date' },
      { field: 'slug', label: t('slug'), type: 'text' },
      {
        field: 'action',
        label: t('what'),
        type: 'enum',
        options: (['PAY', 'ADD_PAYMENT_METHOD', 'PAY_CHARGES', 'MANAGE_CONTRACT'] as const).map(
          (value) => ({ value, label: t(`action_${value}`) }),
        ),
      },
    ],
    empty: { text: t('empty'), action: make },
    actions: (
      <>
        <LinkKinds current="deep" />
        {make}
      </>
    ),
    rowKeys: {
      C: { label: t('copy_link'), run: ({ url }) => void copyText(url) },
    },
  }
  return (
    <>
      <ListScreen list={list} />
      {canWrite && canMakeTask && query['do'] === 'task' && (
        <TaskDialog
          account={query['account'] ?? ''}
          contract={query['contract'] ?? ''}
          onClose={() => route(path, true)}
        />
      )}
    </>
  )
}
