import { useState } from 'preact/hooks'
import type { UserRecord } from '../../../shared/schemas/user.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { draftBody, isComplete, UserFields, type UserDraft } from './UserFields.tsx'
import { t } from './users-words.ts'

/** The form for the name and the access of a user. */
export function ChangeUser({ user, onClose }: { user: UserRecord; onClose: () => void }) {
  const { api } = useInstance()
  const [draft, setDraft] = useState<UserDraft>(user)
  const save = useAction(async () => {
    const body = { user: draftBody(draft) }
    await request('PUT', api(`/users/${user.id}`), { ifMatch: user.v, body })
    invalidate((path) => path.startsWith(api('/users')) || path.startsWith(api('/user_sessions')))
    toast(t('saved'))
    onClose()
  })
  return (
    <ConfirmDialog
      title={t('change_title', { email: user.email })}
      label={t('save')}
      kind="primary"
      isForm
      keep
      disabled={!isComplete(draft)}
      action={save}
      onClose={onClose}
    >
      <UserFields draft={draft} onChange={setDraft} />
      <p class="muted">{t('change_explain')}</p>
    </ConfirmDialog>
  )
}
