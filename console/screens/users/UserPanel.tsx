import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { UserRecord } from '../../../shared/schemas/user.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { boot } from '../../boot.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { KeyValue } from '../../ui/Details.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { ChangeUser } from './ChangeUser.tsx'
import { InvitationDialog } from './InvitationDialog.tsx'
import { Sessions } from './Sessions.tsx'
import { factorsText, instancesText, languagesText, roleText } from './user-texts.ts'
import { t } from './users-words.ts'

type Asked = 'change' | 'disable' | 'enable' | 'invite' | 'remove'

/** One user: their access, what an owner can do about it, and the browsers where they are signed in. */
export function UserPanel({ user }: { user: UserRecord }) {
  const { timezone } = useInstance()
  const canWrite = usePermission('users:write')
  const [asked, setAsked] = useState<Asked>()
  const isSelf = user.id === boot.user.id
  const ask = (what: Asked) => () => setAsked(what)
  return (
    <>
      <h2>{user.name ?? user.email}</h2>
      <KeyValue
        rows={[
          user.name !== null && [t('email'), user.email],
          [t('role'), roleText(user)],
          [t('instances'), instancesText(user)],
          user.role === 'EDITOR' && [t('languages'), languagesText(user)],
          [t('factors'), factorsText(user)],
          [t('last_seen'), <Ago key="seen" at={user.last_seen} />],
          [t('created'), formatTime(user.created, timezone)],
          user.invitation !== null && [
            t('invitation'),
            t('invitation_until', { time: formatTime(user.invitation.expires, timezone) }),
          ],
        ]}
      />
      {canWrite && (
        <div class="user-actions">
          {!isSelf && (
            <Button icon="pencil" onClick={ask('change')}>
              {t('change')}
            </Button>
          )}
          {!user.disabled && !isSelf && (
            <Button icon="send" onClick={ask('invite')}>
              {user.last_seen === null ? t('invite_again') : t('new_password')}
            </Button>
          )}
          {!isSelf && (
            <Button
              icon={user.disabled ? 'check' : 'ban'}
              onClick={ask(user.disabled ? 'enable' : 'disable')}
            >
              {user.disabled ? t('enable') : t('disable')}
            </Button>
          )}
          {!isSelf && (
            <Button kind="danger" icon="trash" onClick={ask('remove')}>
              {t('remove')}
            </Button>
          )}
        </div>
      )}
      <Sessions user={user.id} canEnd={canWrite || isSelf} />
      {asked === 'change' && <ChangeUser user={user} onClose={() => setAsked(undefined)} />}
      {asked === 'invite' && <InviteAgain user={user} onClose={() => setAsked(undefined)} />}
      {(asked === 'disable' || asked === 'enable' || asked === 'remove') && (
        <ConfirmAct key={asked} user={user} act={asked} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

/** Asks before a user is kept from signing in, let in again, or removed. */
function ConfirmAct({
  user: { id, email, v },
  act,
  onClose,
}: {
  user: UserRecord
  act: 'disable' | 'enable' | 'remove'
  onClose: () => void
}) {
  const { api } = useInstance()
  const { path, route } = useLocation()
  const change = useAction(async () => {
    const address = api(`/users/${id}`)
    await (act === 'remove'
      ? request('DELETE', address, { ifMatch: v })
      : request('PUT', address, { ifMatch: v, body: { user: { disabled: act === 'disable' } } }))
    onClose()
    if (act === 'remove') route(path, true)
    invalidate((one) => one.startsWith(api('/users')) || one.startsWith(api('/user_sessions')))
    toast(t(`done_${act}`, { email }))
  })
  return (
    <ConfirmDialog
      title={t(`title_${act}`, { email })}
      label={t(act)}
      kind={act === 'enable' ? 'primary' : 'danger'}
      action={change}
      onClose={onClose}
    >
      <p>{t(`explain_${act}`)}</p>
    </ConfirmDialog>
  )
}

/** Makes another invitation, by which the user chooses a new password. */
function InviteAgain({ user, onClose }: { user: UserRecord; onClose: () => void }) {
  const { api } = useInstance()
  const [invited, setInvited] = useState<UserRecord>()
  const invite = useAction(async (key) => {
    const answer = await request<{ user: UserRecord }>(
      'POST',
      api(`/users/${user.id}/invitation`),
      {
        key,
        body: {},
        ifMatch: user.v,
      },
    )
    setInvited(answer.user)
    invalidate((path) => path.startsWith(api('/users')))
  })
  if (invited) return <InvitationDialog user={invited} onClose={onClose} />
  const { email } = user
  const isNew = user.last_seen === null
  return (
    <ConfirmDialog
      title={isNew ? t('invite_again_title', { email }) : t('new_password_title', { email })}
      label={isNew ? t('invite_again') : t('new_password')}
      kind="primary"
      action={invite}
      onClose={onClose}
    >
      <p>{isNew ? t('invite_again_explain') : t('new_password_explain')}</p>
    </ConfirmDialog>
  )
}
