import { useState } from 'preact/hooks'
import type { SecretKey } from '../../../shared/schemas/secret-key.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { AddressesField, addressesOf } from './AddressesField.tsx'
import { t } from './keys-words.ts'

/** Changes from which addresses a key works. */
export function AddressesDialog({
  secretKey: { id, allowed_addresses },
  onClose,
}: {
  secretKey: Pick<SecretKey, 'id' | 'allowed_addresses'>
  onClose: () => void
}) {
  const { api } = useInstance()
  const [typed, setTyped] = useState((allowed_addresses ?? []).join('\n'))
  const save = useAction(async () => {
    await request('PUT', api(`/secret_keys/${id}`), {
      body: { secret_key: { allowed_addresses: addressesOf(typed) } },
    })
    invalidate((path) => path.startsWith(api('/secret_keys')))
    onClose()
    toast(t('addresses_saved'))
  })
  return (
    <ConfirmDialog
      title={t('addresses_title')}
      label={t('addresses_change')}
      kind="primary"
      action={save}
      onClose={onClose}
    >
      <AddressesField value={typed} onInput={setTyped} />
    </ConfirmDialog>
  )
}
