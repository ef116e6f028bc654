import { boot } from '../../boot.ts'
import { CheckField, SelectField, TextField } from '../../ui/Field.tsx'
import { currencyOptions } from '../links/currencies.ts'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** The currency of links that name none, limits of refunds, and what links offer of saved methods. */
export function MoneySettings() {
  const isOwner = boot.user.role === 'OWNER'
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
          <RefundLimit
            label={t('support_refund_max')}
            hint={t('support_refund_max_hint', { currency: settings.default_currency })}
            currency={settings.default_currency}
            value={settings.support_refund_max}
            disabled={disabled || !isOwner}
            onChange={(support_refund_max) => change({ support_refund_max })}
          />
          <RefundLimit
            label={t('step_up_refund')}
            hint={t('step_up_refund_hint', { currency: settings.default_currency })}
            currency={settings.default_currency}
            value={settings.step_up_refund}
            disabled={disabled || !isOwner}
            onChange={(step_up_refund) => change({ step_up_refund })}
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

/** An amount that an empty field does not limit. */
function RefundLimit({
  currency,
  value,
  onChange,
  ...field
}: {
  label: string
  hint: string
  currency: string
  value: string | null
  disabled: boolean
  onChange: (limit: string | null) => void
}) {
  return (
    <TextField
      {...field}
      inputMode="decimal"
      dir="ltr"
      suffix={currency}
      value={value ?? ''}
      onInput={(typed) => onChange(typed.trim() === '' ? null : typed.trim())}
    />
  )
}
