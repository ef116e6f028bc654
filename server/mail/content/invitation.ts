import { createInvitationLink } from '../../users/invitation.ts'
import { findUserById } from '../../users/store.ts'
import { OBSOLETE, type WriteMail } from './content.ts'

/**
 * Leads an invited user to the page where they choose a password. Each try has a link of its own, because
 * links are not stored.
 */
export const writeInvitation: WriteMail = async ({ deps, mail, wording }) => {
  const { t, merchant, dateTime } = wording
  const user = mail.user_id === null ? undefined : await findUserById(deps.db, mail.user_id)
  if (user?.invitation !== mail.record_id || user.invitation_expires === null) return OBSOLETE
  const url = await createInvitationLink(deps, user)
  return {
    to: user.email,
    subject: t('email.invitation_subject', { merchant }),
    title: t('email.invitation_button'),
    paragraphs: [
      t('email.invitation_intro', { merchant, date: dateTime(user.invitation_expires) }),
    ],
    action: {
      label: t('email.invitation_button'),
      url: mail.language === 'default' ? url : `${url}?lang=${mail.language}`,
    },
  }
}
