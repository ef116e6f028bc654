import { useState } from 'preact/hooks'
import type { InstanceWebhook } from '../../../shared/schemas/webhook.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './developers-words.ts'
import { SecretDialog } from './SecretDialog.tsx'

/** Makes a webhook, whose secret is shown once, or changes `webhook`. */
export function WebhookDialog({
  webhook,
  onClose,
}: {
  webhook?: InstanceWebhook
  onClose: () => void
}) {
  const { api } = useInstance()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState(webhook?.events.join('\n') ?? '*')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [created, setCreated] = useState<InstanceWebhook>()
  const save = useAction(async (key) => {
    const instance_webhook = {
      url,
      events: events.split(/\s+/).filter(Boolean),
      description: description === '' ? null : description,
    }
    const path = api('/instance_webhooks')
    const body = { instance_webhook }
    const answer = webhook
      ? await request<Answer>('PUT', `${path}/${webhook.id}`, { key, ifMatch: webhook.v, body })
      : await request<Answer>('POST', path, { key, body })
    invalidate((one) => one.startsWith(path))
    if (!webhook) {
      setCreated(answer.instance_webhook)
      return
    }
    toast(t('saved'))
    onClose()
  })
  if (created) return <SecretDialog secret={created.secret ?? ''} onClose={onClose} />
  const valid = /^https?:\/\/./.test(url) && events.trim() !== ''
  return (
    <ConfirmDialog
      title={t(webhook ? 'edit_webhook' : 'add_webhook')}
      label={t(webhook ? 'save' : 'create')}
      kind="primary"
      disabled={!valid}
      action={save}
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

interface Answer {
  instance_webhook: InstanceWebhook
}
