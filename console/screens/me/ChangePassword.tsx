import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { boot } from '../../boot.ts'
import { t as common } from '../../shell/common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { Banner, errorTitle } from '../../ui/States.tsx'
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
  const isWeak = change.error?.message.startsWith('password.new') ?? false
  return (
    <Dialog
      title={t('change_password')}
      onClose={onClose}
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button
            kind="primary"
            type="submit"
            form="new-password"
            busy={change.busy}
            disabled={password === '' || repeated !== password}
          >
            {t('change_password')}
          </Button>
        </>
      }
    >
      {change.error && !isWeak && (
        <div role="alert">
          <Banner tone="bad">
            {errorTitle(change.error)} {change.error.message}
          </Banner>
        </div>
      )}
      <form
        id="new-password"
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          void change.run()
        }}
      >
        {/* Password managers store the new password under it. */}
        <input
          type="email"
          class="visually-hidden"
          aria-hidden="true"
          tabIndex={-1}
          autocomplete="username"
          value={boot.user.email}
          readOnly
        />
        <TextField
          label={t('password_new')}
          hint={t('password_rule')}
          error={
            isWeak ? change.error?.message.replace('password.new', t('password_new')) : undefined
          }
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
      </form>
    </Dialog>
  )
}
