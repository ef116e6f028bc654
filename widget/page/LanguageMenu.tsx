import { thisPage } from './context.ts'

/** The languages on offer, each by its own name, for whoever cannot read this page. */
export function LanguageMenu() {
  const { checkout, t } = thisPage()
  const { languages } = checkout.model
  if (languages.length < 2) return null
  const { language } = checkout.checkout.value
  return (
    <label class="language">
      <span class="quiet">{t('checkout.language')}</span>
      <select
        name="language"
        value={language}
        disabled={checkout.phase.value !== 'editing'}
        onChange={(event) => void checkout.speak(event.currentTarget.value)}
      >
        {languages.map(({ code, name }) => (
          <option
            key={code}
            value={code}
            selected={code === language}
            lang={code === 'default' ? 'en' : code}
          >
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
