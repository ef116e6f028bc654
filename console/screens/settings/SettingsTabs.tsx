import type { ComponentChildren } from 'preact'
import { useInstance } from '../../address.ts'
import { usePermissions } from '../../shell/permissions.ts'
import { ScreenHead, Tabs } from '../../ui/Tabs.tsx'
import { t } from './settings-words.ts'
import './settings.css'

export const SETTINGS = [
  'shop',
  'money',
  'languages',
  'embedding',
  'users',
  'security',
  'processors',
  'entities',
  'routes',
  'audit',
] as const

export type SettingsPage = (typeof SETTINGS)[number]

/** Leads from one page of settings to the others. */
export function SettingsTabs({ current }: { current: SettingsPage }) {
  const { screen } = useInstance()
  const permitted = usePermissions()
  const shown = SETTINGS.filter(
    (id) => (id !== 'audit' && id !== 'users') || permitted.has(`${id}:read`),
  )
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={shown.map((id) => ({ id, label: t(id), href: screen(`/settings/${id}`) }))}
    />
  )
}

/** A page of settings below the tabs of all of them. */
export function SettingsScreen({
  page,
  actions,
  children,
}: {
  page: SettingsPage
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <>
      <SettingsTabs current={page} />
      <ScreenHead title={t(page)}>{actions}</ScreenHead>
      <div class="settings">{children}</div>
    </>
  )
}
