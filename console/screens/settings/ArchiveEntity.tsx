import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './entities-words.ts'

/** Asks before a legal entity is archived. */
export function ArchiveEntity({
  entity,
  onClose,
}: {
  entity: LegalEntityRecord
  onClose: () => void
}) {
  const { api } = useInstance()
  const archive = useAction(async () => {
    await request('DELETE', api(`/legal_entities/${entity.id}`))
    invalidate((path) => path.startsWith(api('/legal_entit')))
    toast(t('archived'))
    onClose()
  })
  return (
    <ConfirmDialog
      title={t('archive_title', { name: entity.legal_name })}
      label={t('archive')}
      action={archive}
      onClose={onClose}
    >
      <p>{t('archive_explain')}</p>
    </ConfirmDialog>
  )
}
