import { useState } from 'preact/hooks'
import type { ProcessorRecord } from '../../../shared/schemas/processor.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/toast.ts'
import { explainKeyError } from './explain-key-error.ts'
import { t } from './processors-words.ts'
import { areKeysReady, NO_KEYS, StripeKeyFields } from './StripeKeyFields.tsx'

export type ProcessorDialogName = 'keys' | 'webhook' | 'methods' | 'disconnect'

/** The methods that the adapter of Stripe can offer. */
const METHODS = ['CARD', 'DIRECT_DEBIT', 'IDEAL', 'BANCONTACT', 'EPS', 'PRZELEWY'] as const

/** Returns the name of a type of payment method; the type itself when the console does not know it. */
export function methodName(type: string): string {
  const known = METHODS.find((one) => one === type)
  return known ? t(`method_${known}`) : type
}

interface DialogProps {
  processor: ProcessorRecord
  onClose: () => void
  onDone: () => void
}

/** Changes one connected account. */
export function ProcessorDialog({ name, ...props }: DialogProps & { name: ProcessorDialogName }) {
  if (name === 'keys') return <ChangeKeys {...props} />
  if (name === 'webhook') return <ChangeWebhookSecret {...props} />
  return name === 'methods' ? <ChangeMethods {...props} /> : <Disconnect {...props} />
}

function ChangeKeys({ processor, onClose, onDone }: DialogProps) {
  const { api, mode } = useInstance()
  const [keys, setKeys] = useState(NO_KEYS)
  const change = useAction(async () => {
    await request('PUT', api(`/processors/${processor.id}`), {
      ifMatch: processor.v,
      body: { processor: { secret_key: keys.secret, publishable_key: keys.publishable } },
    })
    toast(t('keys_changed'))
    onDone()
  })
  return (
    <ConfirmDialog
      title={t('change_keys')}
      label={t(change.busy ? 'checking' : 'change_keys')}
      kind="primary"
      disabled={!areKeysReady(keys, mode)}
      action={change}
      explain={explainKeyError}
      onClose={onClose}
    >
      <p>{t('change_keys_explain')}</p>
      <StripeKeyFields keys={keys} onChange={setKeys} />
    </ConfirmDialog>
  )
}

/** A webhook endpoint that the server made is replaced there; of another one, the secret is stored. */
function ChangeWebhookSecret({ processor, onClose, onDone }: DialogProps) {
  const { api } = useInstance()
  const [secret, setSecret] = useState('')
  const isOurs = processor.webhook.status === 'AUTOMATIC'
  const label = t(isOurs ? 'rotate_webhook' : 'set_webhook')
  const rotate = useAction(async (key) => {
    await request('POST', api(`/processors/${processor.id}/rotate_webhook_secret`), {
      key,
      body: isOurs ? {} : { processor: { webhook_secret: secret } },
    })
    toast(t('webhook_changed'))
    onDone()
  })
  return (
    <ConfirmDialog
      title={label}
      label={label}
      kind="primary"
      disabled={!isOurs && !/^whsec_[\w+/=-]{8,}$/.test(secret)}
      action={rotate}
      onClose={onClose}
    >
      <p>{t(isOurs ? 'rotate_webhook_explain' : 'set_webhook_explain')}</p>
      {!isOurs && (
        <TextField
          label={t('webhook_secret')}
          type="password"
          autocomplete="off"
          autofocus
          value={secret}
          placeholder="whsec_…"
          onInput={(typed) => setSecret(typed.trim())}
        />
      )}
    </ConfirmDialog>
  )
}

function ChangeMethods({ processor, onClose, onDone }: DialogProps) {
  const { api } = useInstance()
  const [methods, setMethods] = useState<readonly string[]>(processor.methods)
  const change = useAction(async () => {
    await request('PUT', api(`/processors/${processor.id}`), {
      ifMatch: processor.v,
      body: { processor: { settings: { methods } } },
    })
    toast(t('methods_changed'))
    onDone()
  })
  return (
    <ConfirmDialog
      title={t('change_methods')}
      label={t('change_methods')}
      kind="primary"
      disabled={methods.length === 0}
      action={change}
      onClose={onClose}
    >
      <p>{t('methods_explain')}</p>
      {METHODS.map((type) => (
        <CheckField
          key={type}
          label={methodName(type)}
          checked={methods.includes(type)}
          onChange={(on) =>
            setMethods(METHODS.filter((one) => (one === type ? on : methods.includes(one))))
          }
        />
      ))}
    </ConfirmDialog>
  )
}

function Disconnect({ processor, onClose, onDone }: DialogProps) {
  const { api } = useInstance()
  const disconnect = useAction(async () => {
    await request('DELETE', api(`/processors/${processor.id}`))
    toast(t('disconnected'))
    onDone()
  })
  return (
    <ConfirmDialog
      title={t('disconnect_title')}
      label={t('disconnect')}
      action={disconnect}
      onClose={onClose}
    >
      <p>{t('disconnect_explain')}</p>
    </ConfirmDialog>
  )
}
