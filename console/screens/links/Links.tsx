import { FIRST_LISTS } from '../../../shared/list-query.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { type InstanceAddress, useInstance } from '../../address.ts'
import { request } from '../../api/request.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { copyText } from '../../ui/Details.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { customerName } from '../customers/customer-name.tsx'
import { LinkKinds } from './LinkKinds.tsx'
import { LinkPeek } from './LinkPeek.tsx'
import { linkStatus } from './link-status.ts'
import { linkAmount, type ListedLink } from './listed-link.ts'
import { t } from './links-words.ts'

/** All payment links. */
export function Links() {
  const instance = useInstance()
  const canWrite = usePermission('payment_links:write')
  const list: ListDefinition<ListedLink> = {
    ...FIRST_LISTS.links,
    title: t('title'),
    id: ({ id }) => id,
    href: ({ id }) => `/links/${id}`,
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'active', label: t('active'), criteria: 'status=ACTIVE' },
      { id: 'paid', label: t('paid'), criteria: 'status=PAYMENT_SUCCESS' },
      { id: 'under_way', label: t('under_way'), criteria: 'status=PAYMENT_PENDING' },
      { id: 'expired', label: t('expired'), criteria: 'status=EXPIRED' },
      { id: 'archived', label: t('archived'), criteria: 'archived!!' },
    ],
    columns: [
      { id: 'name', label: t('what_for'), field: 'name', cell: linkName, small: 'title' },
      {
        id: 'amount',
        label: t('amount'),
        end: true,
        field: 'amount',
        cell: linkAmount,
        small: 'end',
      },
      {
        id: 'status',
        label: t('status'),
        cell: (link) => {
          const { tone, label } = linkStatus(link, link.payment?.status === 'UNRESOLVED')
          return <Pill tone={tone}>{label}</Pill>
        },
        small: 'below',
      },
      { id: 'customer', label: t('customer'), cell: ({ account }) => customerName(account) },
      {
        id: 'last_seen',
        label: t('last_seen'),
        end: true,
        cell: ({ last_opened }) =>
          last_opened === null ? <span class="muted">{t('never')}</span> : <Ago at={last_opened} />,
        small: 'end',
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
        id: 'attempts',
        label: t('attempts'),
        end: true,
        standard: false,
        cell: ({ attempts }) => attempts,
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
      { field: 'amount', label: t('amount'), type: 'amount' },
      { field: 'currency', label: t('amount_currency'), type: 'text' },
      { field: 'name', label: t('what_for'), type: 'text' },
      { field: 'alt_key', label: t('reference_label'), type: 'text' },
      { field: 'channel', label: t('channel_label'), type: 'text' },
      {
        field: 'status',
        label: t('status'),
        type: 'enum',
        options: [
          { value: 'ACTIVE', label: t('active') },
          { value: 'PAYMENT_PENDING', label: t('pending') },
          { value: 'PAYMENT_SUCCESS', label: t('paid') },
          { value: 'EXPIRED', label: t('expired') },
        ],
      },
    ],
    empty: { text: t('empty'), action: canWrite && <NewLink instance={instance} /> },
    actions: (
      <>
        <LinkKinds current="links" />
        {canWrite && <NewLink instance={instance} />}
      </>
    ),
    peek: (link) => <LinkPeek link={link} />,
    rowKeys: {
      C: { label: t('copy_link').toLowerCase(), run: ({ url }) => void copyText(url) },
    },
    ...(canWrite && {
      bulk: [
        {
          label: t('archive'),
          icon: 'archive',
          title: (count) => t('archive_count', { count }),
          explain: t('archive_many_explain'),
          run: ({ id }) => request('DELETE', instance.api(`/payment_links/${id}`)),
          changes: ['/payment_links'],
          done: (count) => t('archived_count', { count }),
          danger: true,
        },
      ],
    }),
  }
  return <ListScreen list={list} />
}

function NewLink({ instance }: { instance: InstanceAddress }) {
  return (
    <ButtonLink kind="primary" icon="plus" keys="N" href={instance.screen('/links/new')}>
      {t('new_link')}
    </ButtonLink>
  )
}

/** The name of a link and the merchant's own reference. */
export function linkName({ options }: Pick<PaymentLink, 'options'>) {
  const reference = options.alt_key ?? options.default_alt_key
  return (
    <>
      {options.name ?? t('no_name')}
      {reference && <span class="reference">{reference}</span>}
    </>
  )
}
