import type { DeepLink } from '../../../shared/schemas/deep-link.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './deep-links-words.ts'

/** Asks before a deep link is archived. */
export function ArchiveDeepLink({
  link: { id },
  onClose,
}: {
  link: Pick<DeepLink, 'id'>
  onClose: () => void
}) {
  const { api } = useInstance()
  const archive = useAction(async () => {
    await request('DELETE', api(`/deep_links/${id}`))
    invalidate((path) => path.startsWith(api('/deep_links')))
    toast(t('archived_toast'))
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
