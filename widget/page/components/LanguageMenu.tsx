import { languageName } from '../../../shared/rules/display.ts'
import { thisPage } from '../page-context.ts'
import { wordsOr } from '../server-text.ts'

/** The languages on offer, each by its own name, for whoever cannot read this page. */
export function LanguageMenu() {
  const { checkout, form, t } = thisPage()
  const { languages } = checkout.model
  if (languages.length < 2) return null
  const { language } = checkout.checkout.value
  // Naming a language in itself loads that language, so it waits until somebody looks.
  const shown = form.everyLanguage.value ? languages : [language]
  const listAll = () => void (form.everyLanguage.value = true)
  return (
    <label class="language">
      <span class="quiet">{t('checkout.language')}</span>
      <select
        name="language"
        value={language}
        disabled={checkout.phase.value !== 'editing'}
        onFocus={listAll}
        onPointerDown={listAll}
        onChange={(event) => void checkout.speak(event.currentTarget.value)}
      >
        {shown.map((code) => (
          <option
            key={code}
            value={code}
            selected={code === language}
            lang={code === 'default' ? 'en' : code}
          >
            {wordsOr(code, () => languageName(code))}
          </option>
        ))}
      </select>
    </label>
  )
}
