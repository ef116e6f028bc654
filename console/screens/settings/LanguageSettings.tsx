import { CheckField, TextField } from '../../ui/Field.tsx'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** The languages that payers can choose. */
export function LanguageSettings() {
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
