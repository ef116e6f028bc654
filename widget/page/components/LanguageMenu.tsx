import { useSignal } from '@preact/signals'
import { languageName } from '../../../shared/rules/display.ts'
import { usePage } from '../page-context.ts'
import { serverTextOr } from '../server-text.ts'

/** The offered languages, each in its own name. */
export function LanguageMenu() {
  const { checkout, language, t } = usePage()
  // `Intl` loads a language to name it in itself, so only an opened menu has them all.
  const opened = useSignal(false)
  const open = () => (opened.value = true)
  const { languages } = checkout.model
  if (languages.length < 2) return null

  async function change(select: HTMLSelectElement): Promise<void> {
    await checkout.changeLanguage(select.value)
    select.value = checkout.checkout.value.language
  }

  return (
    <label class="language">
      <span class="visually-hidden">{t('checkout.language')}</span>
      <select
        name="language"
        value={language}
        disabled={checkout.step.value !== 'form'}
        onFocus={open}
        onPointerDown={open}
        onChange={(event) => void change(event.currentTarget)}
      >
        {(opened.value ? languages : [language]).map((code) => (
          <option
            key={code}
            value={code}
            selected={code === language}
            lang={code === 'default' ? 'en' : code}
          >
            {serverTextOr(code, () => languageName(code))}
          </option>
        ))}
      </select>
    </label>
  )
}
