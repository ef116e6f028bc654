import type { VNode } from 'preact'
import { useRoute } from 'preact-iso'
import { CheckField, SelectField, TextArea, TextField } from '../../ui/Field.tsx'
import { currencyOptions } from '../links/currencies.ts'
import { InstanceForm } from './InstanceForm.tsx'
import { Security } from './Security.tsx'
import { SETTINGS, type SettingsPage, SettingsScreen } from './SettingsTabs.tsx'
import { t } from './settings-words.ts'

/** Those that are small; the others have screens of their own. */
const PAGES: Readonly<Partial<Record<SettingsPage, () => VNode>>> = {
  shop: Shop,
  money: MoneySettings,
  languages: Languages,
  embedding: Embedding,
  security: Security,
}

/** The settings of the instance, a page at a time. */
export function Settings() {
  const { params } = useRoute()
  const page = SETTINGS.find((name) => name === params['page']) ?? 'shop'
  const Page = PAGES[page] ?? Shop
  return (
    <SettingsScreen page={page}>
      <Page />
    </SettingsScreen>
  )
}

function Shop() {
  return (
    <InstanceForm>
      {(settings, change, disabled) => (
        <>
          <TextField
            label={t('shop_name')}
            hint={t('shop_name_hint')}
            value={settings.name}
            required
            maxLength={255}
            disabled={disabled}
            onInput={(name) => change({ name })}
          />
          <SelectField
            label={t('timezone')}
            hint={t('timezone_hint')}
            value={settings.timezone ?? ''}
            disabled={disabled}
            options={[
              { value: '', label: '–' },
              ...Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone })),
            ]}
            onChange={(timezone) => change({ timezone: timezone === '' ? null : timezone })}
          />
        </>
      )}
    </InstanceForm>
  )
}

function MoneySettings() {
  return (
    <InstanceForm>
      {(settings, change, disabled) => (
        <>
          <SelectField
            label={t('default_currency')}
            hint={t('default_currency_hint')}
            value={settings.default_currency}
            disabled={disabled}
            options={currencyOptions(settings.default_currency)}
            onChange={(currency) => change({ default_currency: currency })}
          />
          <CheckField
            label={t('link_saved_methods')}
            hint={t('link_saved_methods_hint')}
            checked={settings.link_saved_methods}
            disabled={disabled}
            onChange={(on) => change({ link_saved_methods: on })}
          />
        </>
      )}
    </InstanceForm>
  )
}

function Languages() {
  return (
    <InstanceForm>
      {({ languages }, change, disabled) => (
        <>
          <CheckField
            label={t('all_languages')}
            checked={languages === null}
            disabled={disabled}
            onChange={(all) => change({ languages: all ? null : ['en'] })}
          />
          {languages !== null && (
            <TextField
              label={t('chosen_languages')}
              hint={t('languages_hint')}
              value={languages.join(', ')}
              disabled={disabled}
              onInput={(typed) => change({ languages: typed.split(/[\s,]+/).filter(Boolean) })}
            />
          )}
        </>
      )}
    </InstanceForm>
  )
}

function Embedding() {
  return (
    <InstanceForm>
      {({ allowed_origins: origins }, change, disabled) => (
        <TextArea
          label={t('embedding')}
          hint={t('embedding_hint')}
          value={origins.join('\n')}
          rows={5}
          disabled={disabled}
          onInput={(typed) => change({ allowed_origins: typed.split(/\s+/).filter(Boolean) })}
        />
      )}
    </InstanceForm>
  )
}
