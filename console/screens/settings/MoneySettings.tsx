import { CheckField, SelectField } from '../../ui/Field.tsx'
import { currencyOptions } from '../links/currencies.ts'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** The currency of links that name none, and what links offer of saved methods. */
export function MoneySettings() {
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
