import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { InstanceWebhook } from '../../../shared/schemas/webhook.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { t as common } from '../../shell/common-words.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText } from '../../ui/Details.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { Banner } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { DeveloperTabs } from './DeveloperTabs.tsx'
import { t } from './developers-words.ts'

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
      {query['do'] === 'add' && canWrite && <AddWebhook onClose={() => route(path, true)} />}
    </>
  )
}

function AddWebhook({ onClose }: { onClose: () => void }) {
  const { api } = useInstance()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState('*')
  const [description, setDescription] = useState('')
  const [created, setCreated] = useState<InstanceWebhook>()
  const create = useAction(async (key) => {
    const answer = await request<{ instance_webhook: InstanceWebhook }>(
      'POST',
      api('/instance_webhooks'),
      {
        key,
        body: {
          instance_webhook: {
            url,
            events: events.split(/\s+/).filter(Boolean),
            ...(description !== '' && { description }),
          },
        },
      },
    )
    invalidate((path) => path.startsWith(api('/instance_webhooks')))
    setCreated(answer.instance_webhook)
  })
  if (created) return <SecretDialog secret={created.secret ?? ''} onClose={onClose} />
  const valid = /^https?:\/\/./.test(url) && events.trim() !== ''
  return (
    <ConfirmDialog
      title={t('add_webhook')}
      label={t('create')}
      kind="primary"
      disabled={!valid}
      action={create}
      onClose={onClose}
    >
      <TextField
        label={t('url')}
        type="url"
        autofocus
        value={url}
        placeholder="https://"
        error={url !== '' && !/^https?:\/\//.test(url) ? t('url_wrong') : undefined}
        onInput={(typed) => setUrl(typed.trim())}
      />
      <TextArea label={t('events')} hint={t('events_hint')} value={events} onInput={setEvents} />
      <TextField label={t('description')} value={description} onInput={setDescription} />
    </ConfirmDialog>
  )
}

/** A secret that is shown once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('new_secret_title')}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {common('close')}
        </Button>
      }
    >
      <Banner tone="wait">{t('secret_once')}</Banner>
      <CopyText text={secret} />
      <p>{t('verify')}</p>
      <pre class="snippet" tabIndex={0}>
        {`import { Webhook } from 'standardwebhooks'\n\nnew Webhook(process.env.WEBHOOK_SECRET).verify(body, headers)`}
      </pre>
    </Dialog>
  )
}
