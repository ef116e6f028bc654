import type { Delivery, InstanceWebhook } from '../../../shared/schemas/webhook.ts'
import { useInstance } from '../../address.ts'
import { request } from '../../api/request.ts'
import { useResource } from '../../api/resource.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { criteriaValue } from '../../list/list-address.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { Pill } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { deliveryStatus } from './delivery-status.ts'
import { DeveloperTabs } from './DeveloperTabs.tsx'
import { t } from './developers-words.ts'

/** What was sent to all webhooks. */
export function Deliveries() {
  const { api } = useInstance()
  const canWrite = usePermission('webhooks:write')
  // An instance has at most twenty.
  const { data } = useResource<{ instance_webhooks: InstanceWebhook[] }>(
    api('/instance_webhooks?limit=20'),
  )
  const webhooks = data?.instance_webhooks ?? []
  const urlOf = (id: string) => webhooks.find((webhook) => webhook.id === id)?.url ?? id
  const list: ListDefinition<Delivery> = {
    name: 'deliveries',
    title: t('deliveries'),
    id: ({ id }) => id,
    href: ({ instance_webhook: webhook }) => `/developers/webhooks/${webhook}`,
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'failed', label: t('failed'), criteria: 'status=FAILED' },
      { id: 'waiting', label: t('waiting'), criteria: 'status=WAITING' },
      { id: 'delivered', label: t('delivered'), criteria: 'status=DELIVERED' },
    ],
    columns: [
      { id: 'type', label: t('type'), small: 'title', cell: ({ type }) => <code>{type}</code> },
      {
        id: 'url',
        label: t('webhook'),
        small: 'below',
        cell: ({ instance_webhook: webhook }) => urlOf(webhook),
      },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (delivery) => (
          <Pill tone={deliveryStatus(delivery).tone}>{deliveryStatus(delivery).label}</Pill>
        ),
      },
      {
        id: 'code',
        label: t('code'),
        cell: ({ response_status: status, error }) => status ?? error ?? '',
      },
      { id: 'tries', label: t('tries'), end: true, cell: ({ attempts }) => attempts },
      {
        id: 'next',
        label: t('next'),
        end: true,
        field: 'next_attempt',
        cell: ({ next_attempt: next }) => <Ago at={next} />,
      },
      {
        id: 'when',
        label: t('when'),
        end: true,
        field: 'created',
        cell: ({ created }) => <Ago at={created} />,
      },
    ],
    filters: [
      { field: 'created', label: t('when'), type: 'date' },
      {
        field: 'instance_webhook',
        label: t('webhook'),
        type: 'enum',
        options: webhooks.map(({ id, url }) => ({ value: id, label: url })),
      },
    ],
    search: (text) => `${text.startsWith('evt_') ? 'event' : 'type'}=${criteriaValue(text)}`,
    empty: { text: t('empty_all_deliveries') },
    ...(canWrite && {
      bulk: [
        {
          label: t('replay'),
          icon: 'refresh-cw',
          key: 'R',
          title: (count) => t('replay_count', { count }),
          explain: t('replay_explain'),
          run: ({ instance_webhook: webhook, event }) =>
            request('POST', api(`/instance_webhooks/${webhook}/replay`), {
              body: { replay: { event } },
            }),
          changes: ['/deliveries', '/instance_webhooks'],
          done: (count) => t('replayed_count', { count }),
        },
      ],
    }),
  }
  return (
    <>
      <DeveloperTabs current="deliveries" />
      <ListScreen list={list} />
    </>
  )
}
