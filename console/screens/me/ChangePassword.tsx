import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { request, type RequestError } from '../../api/request.ts'
import { AccountOfPassword } from '../../shell/AccountOfPassword.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { explainError } from '../../ui/States.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './factors-words.ts'

/** Sets another password of the user. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [revoke, setRevoke] = useState(false)
  const differs = repeated !== '' && repeated !== password
  const change = useAction(async (key) => {
    const body = { password: { new: password, revoke_grants: revoke } }
    await request('PUT', '/console/password', { key, body })
    toast(t('password_changed'))
    onClose()
  })
  const weak = change.error && isAboutPassword(change.error) ? change.error : undefined
  return (
    <ConfirmDialog
      title={t('change_password')}
      label={t('change_password')}
      kind="primary"
      action={change}
      explain={(error) => (isAboutPassword(error) ? undefined : explainError(error))}
      disabled={password === '' || repeated !== password}
      onClose={onClose}
      isForm
    >
      <AccountOfPassword />
      <TextField
        label={t('password_new')}
        hint={t('password_rule')}
        error={weak?.message.replace('password.new', t('password_new'))}
        type="password"
        autocomplete="new-password"
        autofocus
        value={password}
        onInput={setPassword}
      />
      <TextField
        label={t('password_repeat')}
        error={differs ? t('password_differs') : undefined}
        type="password"
        autocomplete="new-password"
        value={repeated}
        onInput={setRepeated}
      />
      <CheckField label={t('password_revoke')} checked={revoke} onChange={setRevoke} />
    </ConfirmDialog>
  )
}

const isAboutPassword = ({ message }: RequestError) => message.startsWith('password.new')
