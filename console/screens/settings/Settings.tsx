import type { VNode } from 'preact'
import { useRoute } from 'preact-iso'
import { EmbeddingSettings } from './EmbeddingSettings.tsx'
import { LanguageSettings } from './LanguageSettings.tsx'
import { MoneySettings } from './MoneySettings.tsx'
import { Security } from './Security.tsx'
import { SETTINGS, type SettingsPage, SettingsScreen } from './SettingsTabs.tsx'
import { ShopSettings } from './ShopSettings.tsx'

/** Those that are small; the others have screens of their own. */
const PAGES: Readonly<Partial<Record<SettingsPage, () => VNode>>> = {
  shop: ShopSettings,
  money: MoneySettings,
  languages: LanguageSettings,
  embedding: EmbeddingSettings,
  security: Security,
}

/** The settings of the instance, a page at a time. */
export function Settings() {
  const { params } = useRoute()
  const page = SETTINGS.find((name) => name === params['page']) ?? 'shop'
  const Page = PAGES[page] ?? ShopSettings
  return (
    <SettingsScreen page={page}>
      <Page />
    </SettingsScreen>
  )
}
