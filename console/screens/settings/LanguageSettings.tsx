import type { StringOverrideRecord } from '../../../shared/schemas/string-override.ts'
import { useInstance } from '../../address.ts'
import type { ListMeta } from '../../api/lists.ts'
import { useResource } from '../../api/resource.ts'
import { CheckField } from '../../ui/Field.tsx'
import { FieldGroup } from '../../ui/FieldGroup.tsx'
import { language as spoken } from '../../words.ts'
import { languagesOf, SHIPPED_LANGUAGES } from '../../shipped-languages.ts'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** The languages that payers can choose, each with how many sentences the merchant has written in it. */
export function LanguageSettings() {
  const { api } = useInstance()
  const { data } = useResource<{
    string_overrides: Pick<StringOverrideRecord, 'language'>[]
  }>(api('/string_overrides?limit=1000'))
  const own = data?.string_overrides ?? []
  const names = new Intl.DisplayNames(spoken(), { type: 'language' })
  const known = languagesOf(own).filter((code) => code !== 'default')
  const all = useResource<{ meta: ListMeta }>(api('/strings?limit=1')).data?.meta.total
  const hint = (code: string) => {
    const count = own.filter(({ language }) => language === code).length
    if (SHIPPED_LANGUAGES.includes(code))
      return count === 0 ? undefined : t('own_sentences', { count })
    return all === undefined ? undefined : t('coverage', { count, total: all })
  }
  return (
    <InstanceForm>
      {({ languages }, change, disabled) => (
        <>
          <CheckField
            label={t('all_languages')}
            checked={languages === null}
            disabled={disabled}
            onChange={(all) => change({ languages: all ? null : known })}
          />
          {languages !== null && (
            <FieldGroup title={t('chosen_languages')}>
              {[...new Set([...known, ...languages])].map((code) => (
                <CheckField
                  key={code}
                  label={code === 'default' ? t('base_language') : (names.of(code) ?? code)}
                  hint={hint(code)}
                  checked={languages.includes(code)}
                  // The list names one at least.
                  disabled={disabled || (languages.length === 1 && languages.includes(code))}
                  onChange={(on) =>
                    change({
                      languages: on
                        ? [...languages, code]
                        : languages.filter((one) => one !== code),
                    })
                  }
                />
              ))}
            </FieldGroup>
          )}
        </>
      )}
    </InstanceForm>
  )
}
