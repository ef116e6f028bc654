import { useState } from 'preact/hooks'
import type { UserRecord } from '../../../shared/schemas/user.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { InvitationDialog } from './InvitationDialog.tsx'
import { draftBody, isComplete, UserFields, type UserDraft } from './UserFields.tsx'
import { t } from './users-words.ts'

/** The form for a new user, and then the link of their invitation. */
export function InviteUser({ onClose }: { onClose: () => void }) {
  const { api } = useInstance()
  const [email, setEmail] = useState('')
  const [draft, setDraft] = useState<UserDraft>({
    name: null,
    role: 'EDITOR',
    instances: null,
    languages: null,
  })
  const [invited, setInvited] = useState<UserRecord>()
  const invite = useAction(async (key) => {
    const { user } = await request<{ user: UserRecord }>('POST', api('/users'), {
      key,
      body: { user: { email: email.trim(), ...draftBody(draft) } },
    })
    invalidate((path) => path.startsWith(api('/users')))
    setInvited(user)
  })
  if (invited) return <InvitationDialog user={invited} onClose={onClose} />
  return (
    <ConfirmDialog
      title={t('invite')}
      label={t('invite')}
      kind="primary"
      isForm
      keep
      disabled={!email.includes('@') || !isComplete(draft)}
      action={invite}
      onClose={onClose}
    >
      <TextField
        label={t('email')}
        hint={t('email_hint')}
        type="email"
        autofocus
        autocomplete="off"
        maxLength={255}
        value={email}
        onInput={setEmail}
      />
      <UserFields draft={draft} onChange={setDraft} />
    </ConfirmDialog>
  )
}
