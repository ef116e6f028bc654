import { useInstance } from '../../address.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from './developers-words.ts'

/** Leads from one screen for developers to the others. */
export function DeveloperTabs({ current }: { current: 'webhooks' | 'events' }) {
  const { screen } = useInstance()
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={(['webhooks', 'events'] as const).map((id) => ({
        id,
        label: t(id),
        href: screen(`/developers/${id}`),
      }))}
    />
  )
}
