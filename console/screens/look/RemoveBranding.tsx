import { useLocation } from 'preact-iso'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { usePermission } from '../../shell/permissions.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useStringCounts } from './BrandingList.tsx'
import { t } from './look-words.ts'
import { useChangeBrandings } from './use-change-brandings.ts'

/** Asks before a branding goes, and says how many sentences go with it. */
export function RemoveBranding({
  branding: { key, name },
  onClose,
}: {
  branding: InstanceRecord['brandings'][number]
  onClose: () => void
}) {
  const { screen } = useInstance()
  const { route } = useLocation()
  const canForce = usePermission('instances:write')
  const count = useStringCounts()?.(key)
  const changeBrandings = useChangeBrandings()
  const remove = useAction(async () => {
    await changeBrandings(
      (stored) => stored.filter((branding) => branding.key !== key),
      count !== undefined && count > 0,
    )
    onClose()
    toast(t('removed', { name }))
    route(screen('/look'), true)
  })
  const isRefused = count !== undefined && count > 0 && !canForce
  return (
    <ConfirmDialog
      title={t('remove_title', { name })}
      label={t('remove')}
      disabled={count === undefined || isRefused}
      action={remove}
      onClose={onClose}
    >
      <p>{t('remove_explain')}</p>
      {count !== undefined && count > 0 && (
        <p>
          <b>{isRefused ? t('remove_refused') : t('remove_sentences', { count })}</b>
        </p>
      )}
    </ConfirmDialog>
  )
}
