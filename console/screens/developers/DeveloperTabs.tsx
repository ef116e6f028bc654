import { useInstance } from '../../address.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from './developers-words.ts'

export type DeveloperTab = 'keys' | 'webhooks' | 'deliveries' | 'events' | 'platforms'

/** Leads from one screen for developers to the others. */
export function DeveloperTabs({ current }: { current: DeveloperTab }) {
  const { screen } = useInstance()
  const canSeeKeys = usePermission('keys:read')
  const canSeeGrants = usePermission('grants:read')
  const tabs: readonly DeveloperTab[] = [
    ...(canSeeKeys ? ['keys' as const] : []),
    'webhooks',
    'deliveries',
    'events',
    ...(canSeeGrants ? ['platforms' as const] : []),
  ]
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={tabs.map((id) => ({
        id,
        label: t(id),
        href: screen(`/developers/${id}`),
      }))}
    />
  )
}
