import { useLocation } from 'preact-iso'
import type { InstanceWebhook } from '../../../shared/schemas/webhook.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { DeveloperTabs } from './DeveloperTabs.tsx'
import { t } from './developers-words.ts'
import { WebhookDialog } from './WebhookDialog.tsx'

export function webhookStatus(webhook: Pick<InstanceWebhook, 'enabled' | 'failing_since'>): {
  tone: Tone
  label: string
} {
  if (!webhook.enabled) return { tone: 'bad', label: t('disabled') }
  return webhook.failing_since === null
    ? { tone: 'ok', label: t('enabled') }
    : { tone: 'wait', label: t('failing') }
}

/** All webhooks. `?do=add` opens the form for a new one. */
export function Webhooks() {
  const { path, query, route } = useLocation()
  const canWrite = usePermission('webhooks:write')
  const add = canWrite && (
    <Button kind="primary" icon="plus" onClick={() => route(`${path}?do=add`)}>
      {t('add_webhook')}
    </Button>
  )
  const list: ListDefinition<InstanceWebhook> = {
    name: 'instance_webhooks',
    title: t('webhooks'),
    id: ({ id }) => id,
    href: ({ id }) => `/developers/webhooks/${id}`,
    actions: add,
    tabs: [{ id: 'all', label: t('all'), criteria: '' }],
    columns: [
      { id: 'url', label: t('url'), small: 'title', cell: ({ url }) => url },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (webhook) => (
          <Pill tone={webhookStatus(webhook).tone}>{webhookStatus(webhook).label}</Pill>
        ),
      },
      { id: 'events', label: t('events'), small: 'below', cell: ({ events }) => events.join(', ') },
      { id: 'when', label: t('when'), end: true, cell: ({ created }) => <Ago at={created} /> },
    ],
    filters: [],
    empty: { text: t('empty_webhooks'), action: add },
  }
  return (
    <>
      <DeveloperTabs current="webhooks" />
      <ListScreen list={list} />
      {query['do'] === 'add' && canWrite && <WebhookDialog onClose={() => route(path, true)} />}
    </>
  )
}
