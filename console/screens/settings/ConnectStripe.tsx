import { useState } from 'preact/hooks'
import type { ProcessorRecord } from '../../../shared/schemas/processor.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { explainKeyError } from './explain-key-error.ts'
import { t } from './processors-words.ts'
import { areKeysReady, NO_KEYS, StripeKeyFields } from './StripeKeyFields.tsx'

/** The form that connects an account at Stripe. Stripe checks the key before anything is stored. */
export function ConnectStripe({ onClose }: { onClose: () => void }) {
  const { api, mode, name } = useInstance()
  const [keys, setKeys] = useState(NO_KEYS)
  const connect = useAction(async (key) => {
    await request<{ processor: ProcessorRecord }>('POST', api('/processors'), {
      key,
      body: {
        processor: {
          name: 'stripe',
          secret_key: keys.secret,
          publishable_key: keys.publishable,
        },
      },
    })
    invalidate((path) => path.startsWith(api('/processors')))
    toast(t('connected'))
    onClose()
  })
  return (
    <ConfirmDialog
      title={t('connect_stripe')}
      label={connect.busy ? t('checking') : t('connect')}
      kind="primary"
      disabled={!areKeysReady(keys, mode)}
      action={connect}
      explain={explainKeyError}
      onClose={onClose}
    >
      <p>{t(mode === 'LIVE' ? 'connect_live' : 'connect_test', { instance: name })}</p>
      <ol class="steps">
        <li>{t('step_make')}</li>
        <li>{t('step_permissions')}</li>
        <li>{t('step_paste')}</li>
      </ol>
      <StripeKeyFields keys={keys} onChange={setKeys} />
    </ConfirmDialog>
  )
}
