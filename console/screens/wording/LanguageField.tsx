import { useMemo } from 'preact/hooks'
import type { StringScope } from '../../../shared/rules/inherit.ts'
import type { Strings } from '../../../shared/rules/wording.ts'
import { SelectField } from '../../ui/Field.tsx'
import type { Resolution } from './resolution.ts'
import { isLoaded } from './shipped.ts'
import { languageName, t } from './wording-words.ts'

/** The language that is viewed, each with how much of it is the merchant's own, and stale. */
export function LanguageField({
  languages,
  viewed,
  published,
  shipped,
  onChange,
}: {
  languages: readonly string[]
  viewed: StringScope
  published: Resolution
  shipped: Readonly<Record<string, Strings>>
  onChange: (language: string) => void
}) {
  const options = useMemo(
    () =>
      languages.map((language) => {
        const scope = { ...viewed, language }
        const own = published.own(scope).length
        const stale = isLoaded(shipped, language) ? published.staleIds(scope).length : 0
        const counts = [
          own > 0 && t('count_own', { count: own }),
          stale > 0 && t('count_stale', { count: stale }),
        ].filter(Boolean)
        return { value: language, label: [languageName(language), ...counts].join(' · ') }
      }),
    [languages, viewed.branding, published, shipped],
  )
  return (
    <SelectField
      label={t('language')}
      value={viewed.language}
      options={options}
      onChange={onChange}
    />
  )
}
