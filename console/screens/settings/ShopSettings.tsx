import { useInstance } from '../../address.ts'
import { boot } from '../../boot.ts'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** The name of the shop, its time zone, and the instance of the other mode that belongs with it. */
export function ShopSettings() {
  const { mode } = useInstance()
  const others = boot.instances.filter((one) => one.mode !== mode)
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
          {others.length > 0 && (
            <SelectField
              label={t(mode === 'TEST' ? 'twin_live' : 'twin_test')}
              hint={t('twin_hint')}
              value={settings.twin ?? ''}
              disabled={disabled}
              options={[
                { value: '', label: t('twin_none') },
                ...others.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
              ]}
              onChange={(twin) => change({ twin: twin === '' ? null : twin })}
            />
          )}
        </>
      )}
    </InstanceForm>
  )
}
