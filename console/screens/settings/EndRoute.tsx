import type { LegalEntityRouteRecord } from '../../../shared/schemas/legal-entity-route.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './routes-words.ts'

/** Asks before a route ends. */
export function EndRoute({
  route: { id, position, v },
  onClose,
}: {
  route: LegalEntityRouteRecord
  onClose: () => void
}) {
  const { api } = useInstance()
  const end = useAction(async () => {
    await request('DELETE', api(`/legal_entity_routes/${id}`), { ifMatch: v })
    invalidate((path) => path.startsWith(api('/legal_entity_routes')))
    toast(t('ended'))
    onClose()
  })
  return (
    <ConfirmDialog
      title={t('end_title', { position })}
      label={t('end_now')}
      action={end}
      onClose={onClose}
    >
      <p>{t('end_explain')}</p>
    </ConfirmDialog>
  )
}
