import { useState } from 'preact/hooks'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './links-words.ts'

interface LinkDialog {
  link: Pick<PaymentLink, 'id'>
  onClose: () => void
}

/** Asks before a link is archived. */
export function ArchiveDialog({ link, onClose }: LinkDialog) {
  const { api } = useInstance()
  const archive = useAction(async () => {
    await request('DELETE', api(`/payment_links/${link.id}`))
    invalidate((path) => path.startsWith(api('/payment_links')))
    toast(t('archived_count', { count: 1 }))
    onClose()
  })
  return (
    <ConfirmDialog
      title={t('archive_title')}
      label={t('archive')}
      action={archive}
      onClose={onClose}
    >
      <p>{t('archive_explain')}</p>
    </ConfirmDialog>
  )
}

/** Sends the address of a link to its payer by mail. `email` is the customer's, where it is known. */
export function SendDialog({ link, email, onClose }: LinkDialog & { email: string }) {
  const { api } = useInstance()
  const [to, setTo] = useState(email)
  const send = useAction(async (key) => {
    await request('POST', api(`/payment_links/${link.id}/send`), { key, body: { mail: { to } } })
    invalidate((path) => path.startsWith(api('/timeline')))
    toast(t('mail_queued', { email: to }))
    onClose()
  })
  return (
    <ConfirmDialog
      isForm
      kind="primary"
      title={t('send_title')}
      label={t('send')}
      action={send}
      disabled={to.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label={t('email_to')}
        type="email"
        autocomplete="off"
        value={to}
        hint={t('send_hint')}
        onInput={setTo}
      />
    </ConfirmDialog>
  )
}
