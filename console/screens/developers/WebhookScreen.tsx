import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { Delivery, InstanceWebhook } from '../../../shared/schemas/webhook.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import type { ListMeta } from '../../api/lists.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ActionError, Banner, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { deliveryStatus } from './delivery-status.ts'
import { t } from './developers-words.ts'
import { SecretDialog } from './SecretDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { webhookStatus } from './Webhooks.tsx'
import './developers.css'
import '../payments/payments.css'

/** One webhook, with what was sent to it. */
export function WebhookScreen() {
  const { api } = useInstance()
  const { params } = useRoute()
  const { data, error, reload } = useResource<{ instance_webhook: InstanceWebhook }>(
    api(`/instance_webhooks/${encodeURIComponent(params['id'] ?? '')}`),
  )
  if (!data) return error ? <ErrorPanel isScreen error={error} retry={reload} /> : <Skeleton />
  return <WebhookDetails webhook={data.instance_webhook} />
}

function WebhookDetails({ webhook }: { webhook: InstanceWebhook }) {
  const { api, screen } = useInstance()
  const { route } = useLocation()
  const canWrite = usePermission('webhooks:write')
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>()
  const [secret, setSecret] = useState<string>()
  const path = api(`/instance_webhooks/${webhook.id}`)
  const refresh = () => invalidate((one) => one.startsWith(api('/instance_webhooks')))
  const toggle = useAction(async (key) => {
    await request('PUT', path, {
      key,
      body: { instance_webhook: { enabled: !webhook.enabled } },
    })
    refresh()
  })
  const rotate = useAction(async (key) => {
    const answer = await request<{ instance_webhook: InstanceWebhook }>('POST', `${path}/rotate`, {
      key,
      body: {},
    })
    setDialog(undefined)
    setSecret(answer.instance_webhook.secret ?? '')
    refresh()
  })
  const remove = useAction(async () => {
    await request('DELETE', path)
    refresh()
    toast(t('deleted'))
    route(screen('/developers/webhooks'))
  })
  const test = useAction(async (key) => {
    await request('POST', `${path}/test`, { key, body: {} })
    invalidate((one) => one.startsWith(api('/deliveries')) || one.startsWith(`${path}/deliveries`))
    toast(t('test_sent'))
    // The server sends it within a second, and a fast receiver has answered then.
    setTimeout(() => invalidate((one) => one.startsWith(`${path}/deliveries`)), 2000)
  })
  const catchUp = useAction(async (key, from: string) => {
    // Enabling clears `failing_since`, so it comes last. What is sent again waits for it.
    const { replay } = await request<{ replay: { deliveries: number } }>('POST', `${path}/replay`, {
      key,
      body: { replay: { from } },
    })
    if (!webhook.enabled) {
      await request('PUT', path, { body: { instance_webhook: { enabled: true } } })
    }
    refresh()
    toast(t('replayed_count', { count: replay.deliveries }))
  })
  const { tone, label } = webhookStatus(webhook)
  const { failing_since: failing } = webhook
  const failed = test.error ?? toggle.error ?? catchUp.error
  return (
    <>
      <ScreenHead
        title={webhook.url}
        back={{ label: t('webhooks'), href: screen('/developers/webhooks') }}
      >
        <Pill tone={tone}>{label}</Pill>
        {canWrite && (
          <>
            {webhook.enabled && (
              <Button icon="zap" busy={test.busy} onClick={() => void test.run()}>
                {t('send_test')}
              </Button>
            )}
            <Button icon="pencil" onClick={() => setDialog('edit')}>
              {t('edit')}
            </Button>
            <Button busy={toggle.busy} onClick={() => void toggle.run()}>
              {t(webhook.enabled ? 'disable' : 'enable')}
            </Button>
            <Button icon="key-round" onClick={() => setDialog('rotate')}>
              {t('rotate')}
            </Button>
            <Button icon="trash" onClick={() => setDialog('delete')}>
              {t('delete')}
            </Button>
          </>
        )}
      </ScreenHead>
      <div class="payment-columns">
        <div>
          <ActionError error={failed} />
          {!webhook.enabled && <Banner tone="bad">{t('disabled_banner')}</Banner>}
          {failing !== null && (
            <Banner tone="wait">
              {t('failing_since', { time: formatTime(failing) })}{' '}
              {canWrite && (
                <Button
                  icon="refresh-cw"
                  busy={catchUp.busy}
                  onClick={() => void catchUp.run(failing)}
                >
                  {t(webhook.enabled ? 'replay_since' : 'enable_and_replay')}
                </Button>
              )}
            </Banner>
          )}
          <Deliveries webhook={webhook} canWrite={canWrite} />
        </div>
        <Section title={t('webhook')}>
          <KeyValue
            rows={[
              [t('events'), webhook.events.join(', ')],
              [t('description'), webhook.description ?? '–'],
            ]}
          />
          <CopyText text={webhook.id} />
        </Section>
      </div>
      {dialog === 'edit' && (
        <WebhookDialog webhook={webhook} onClose={() => setDialog(undefined)} />
      )}
      {dialog !== undefined && dialog !== 'edit' && (
        <ConfirmDialog
          title={t(dialog === 'rotate' ? 'rotate_title' : 'delete_title')}
          label={t(dialog)}
          kind={dialog === 'delete' ? 'danger' : 'primary'}
          action={dialog === 'rotate' ? rotate : remove}
          onClose={() => setDialog(undefined)}
        >
          <p>{t(dialog === 'rotate' ? 'rotate_explain' : 'delete_explain')}</p>
        </ConfirmDialog>
      )}
      {secret !== undefined && (
        <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  )
}

function Deliveries({ webhook, canWrite }: { webhook: InstanceWebhook; canWrite: boolean }) {
  const { api, screen } = useInstance()
  const path = api(`/instance_webhooks/${webhook.id}/deliveries?limit=50`)
  const { data, error, reload } = useResource<{ deliveries: Delivery[]; meta: ListMeta }>(path)
  const replay = useAction(async (key, event: string) => {
    await request('POST', api(`/instance_webhooks/${webhook.id}/replay`), {
      key,
      body: { replay: { event } },
    })
    reload()
    toast(t('replayed'))
  })
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  return (
    <Section title={t('deliveries')}>
      <ActionError error={replay.error} />
      {data.deliveries.length === 0 && <p class="muted">{t('empty_deliveries')}</p>}
      <div class="table-scroll">
        <table class="plain-table">
          <tbody>
            {data.deliveries.map((delivery) => (
              <tr key={delivery.id}>
                <td>
                  <a href={screen(`/developers/events/${delivery.event}`)}>{delivery.type}</a>
                </td>
                <td>
                  <Pill tone={deliveryStatus(delivery).tone}>{deliveryStatus(delivery).label}</Pill>
                </td>
                <td>{delivery.response_status ?? delivery.error ?? ''}</td>
                <td>
                  <Ago at={delivery.last_attempt ?? delivery.created} />
                </td>
                <td class="number">
                  {canWrite && webhook.enabled && (
                    <Button kind="plain" onClick={() => void replay.run(delivery.event)}>
                      {t('replay')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
