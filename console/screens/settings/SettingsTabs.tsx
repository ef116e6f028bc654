import { useInstance } from '../../address.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from './settings-words.ts'

export const SETTINGS = [
  'shop',
  'money',
  'languages',
  'embedding',
  'security',
  'processors',
  'entities',
] as const

export type SettingsPage = (typeof SETTINGS)[number]

/** Leads from one page of settings to the others. */
export function SettingsTabs({ current }: { current: SettingsPage }) {
  const { screen } = useInstance()
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={SETTINGS.map((id) => ({ id, label: t(id), href: screen(`/settings/${id}`) }))}
    />
  )
}
