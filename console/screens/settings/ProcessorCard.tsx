import { useState } from 'preact/hooks'
import type { ProcessorRecord } from '../../../shared/schemas/processor.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText, KeyValue } from '../../ui/Details.tsx'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { ActionError, Banner } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { methodName, ProcessorDialog, type ProcessorDialogName } from './ProcessorDialog.tsx'
import { t } from './processors-words.ts'

const TONES: Readonly<Record<ProcessorRecord['status'], Tone>> = {
  ACTIVE: 'ok',
  BROKEN: 'bad',
  DISABLED: 'calm',
}

/** One account at a processor: its state, what it can do, and what can be done with it. */
export function ProcessorCard({ processor }: { processor: ProcessorRecord }) {
  const { api } = useInstance()
  const canWrite = usePermission('processors:write') && processor.status !== 'DISABLED'
  const [dialog, setDialog] = useState<ProcessorDialogName>()
  const path = api(`/processors/${processor.id}`)
  const refresh = () => invalidate((one) => one.startsWith(api('/processors')))
  const check = useAction(async (key) => {
    const answer = await request<{ processor: ProcessorRecord }>('POST', `${path}/check`, {
      key,
      body: {},
    })
    refresh()
    if (answer.processor.status === 'ACTIVE') toast(t('check_accepted'))
  })
  const { status, webhook, account } = processor
  const states = status === 'ACTIVE' ? webhook.status : status
  return (
    <article class="card" aria-labelledby={processor.id}>
      <header>
        <h2 id={processor.id}>{processor.name === 'stripe' ? 'Stripe' : processor.name}</h2>
        <Pill tone={TONES[status]}>{t(`status_${status}`)}</Pill>
        {canWrite && (
          <Button icon="refresh-cw" busy={check.busy} onClick={() => void check.run()}>
            {t(check.busy ? 'checking' : 'check')}
          </Button>
        )}
      </header>
      <ActionError error={check.error} />
      {states === 'BROKEN' && <Banner tone="bad">{t('broken_panel')}</Banner>}
      {states === 'DISABLED' && <Banner tone="news">{t('disabled_panel')}</Banner>}
      {states === 'MISSING' && <Banner tone="wait">{t('webhook_missing_panel')}</Banner>}
      {states === 'OFF' && <Banner tone="news">{t('webhook_off_panel')}</Banner>}
      <KeyValue
        rows={[
          [t('account'), account === null ? '–' : <code>{account}</code>],
          [t('secret_key'), <code key="key">{processor.key_hint}</code>],
          [t('publishable_key'), <code key="public">{processor.publishable_key}</code>],
          [t('methods'), processor.methods.map((type) => methodName(type)).join(', ')],
          [t('notifications'), t(`webhook_${webhook.status}`)],
          [t('last_heard'), <Ago key="heard" at={webhook.last_heard} />],
          webhook.status === 'MISSING' && [t('events'), webhook.events.join(', ')],
        ]}
      />
      {webhook.status === 'MISSING' && webhook.url !== null && <CopyText text={webhook.url} />}
      <CopyText text={processor.id} />
      {canWrite && (
        <div class="card-actions">
          <Button onClick={() => setDialog('methods')}>{t('change_methods')}</Button>
          <Button icon="key-round" onClick={() => setDialog('keys')}>
            {t('change_keys')}
          </Button>
          {webhook.status !== 'OFF' && (
            <Button onClick={() => setDialog('webhook')}>
              {t(webhook.status === 'AUTOMATIC' ? 'rotate_webhook' : 'set_webhook')}
            </Button>
          )}
          <Button icon="ban" onClick={() => setDialog('disconnect')}>
            {t('disconnect')}
          </Button>
        </div>
      )}
      {dialog && (
        <ProcessorDialog
          name={dialog}
          processor={processor}
          onClose={() => setDialog(undefined)}
          onDone={() => {
            refresh()
            setDialog(undefined)
          }}
        />
      )}
    </article>
  )
}
