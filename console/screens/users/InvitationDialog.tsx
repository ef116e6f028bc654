import type { UserRecord } from '../../../shared/schemas/user.ts'
import { useInstance } from '../../address.ts'
import { t as common } from '../../shell/common-words.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { CopyText } from '../../ui/Details.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Banner } from '../../ui/States.tsx'
import { formatTime } from '../../ui/Time.tsx'
import { t } from './users-words.ts'

/** Says that the invitation is on its way, or shows its link, which is shown once. */
export function InvitationDialog({ user, onClose }: { user: UserRecord; onClose: () => void }) {
  const { timezone } = useInstance()
  const { email, invitation } = user
  const url = invitation?.url
  return (
    <Dialog
      title={t('invited_title')}
      onClose={onClose}
      keep
      footer={
        <>
          {url !== undefined && (
            <ButtonLink icon="mail" href={mailTo(email, url)}>
              {t('invitation_mail')}
            </ButtonLink>
          )}
          <Button kind="primary" onClick={onClose}>
            {common('close')}
          </Button>
        </>
      }
    >
      {url === undefined ? (
        <p>{t('invited_by_mail', { email })}</p>
      ) : (
        <>
          <Banner tone="wait">{t('invited_by_link', { email })}</Banner>
          <CopyText text={url} label={t('invitation_copy')} />
        </>
      )}
      {invitation && (
        <p class="muted">
          {t('invitation_expires', { time: formatTime(invitation.expires, timezone) })}
        </p>
      )}
    </Dialog>
  )
}

function mailTo(email: string, url: string): string {
  const subject = encodeURIComponent(t('invitation_subject'))
  const body = encodeURIComponent(t('invitation_body', { url }))
  return `mailto:${encodeURIComponent(email)}?subject=${subject}&body=${body}`
}
