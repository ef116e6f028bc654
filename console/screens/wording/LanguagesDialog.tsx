import { useState } from 'preact/hooks'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { languageName, t } from './wording-words.ts'

/** Chooses the languages that stand beside the base, and adds further ones. */
export function LanguagesDialog({
  languages,
  shown,
  onSave,
  onClose,
}: {
  languages: readonly string[]
  shown: readonly string[]
  onSave: (languages: readonly string[]) => void
  onClose: () => void
}) {
  const [chosen, setChosen] = useState<readonly string[]>(shown)
  const [added, setAdded] = useState('')
  const code = added.trim().toLowerCase()
  const isLanguage = /^[a-z]{2}$/.test(code) && languageName(code) !== code
  const all = languages.filter((language) => language !== 'default')
  const offered = [...new Set([...all, ...chosen])]
  const choose = (language: string, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, language] : chosen.filter((each) => each !== language))
  return (
    <Dialog
      title={t('languages_title')}
      onClose={onClose}
      footer={
        <>
          <Button kind="plain" onClick={() => setChosen(chosen.length < all.length ? all : [])}>
            {t(chosen.length < all.length ? 'languages_all' : 'languages_none')}
          </Button>
          <Button kind="primary" type="submit" form="languages">
            {t('languages_show')}
          </Button>
        </>
      }
    >
      <form
        id="languages"
        onSubmit={(event) => {
          event.preventDefault()
          onSave([...new Set(isLanguage ? [...chosen, code] : chosen)])
        }}
      >
        <div class="language-choice">
          {offered.map((language) => (
            <CheckField
              key={language}
              label={languageName(language)}
              checked={chosen.includes(language)}
              onChange={(isChosen) => choose(language, isChosen)}
            />
          ))}
        </div>
        <TextField
          label={t('language_add')}
          hint={isLanguage ? languageName(code) : t('language_add_hint')}
          error={code !== '' && !isLanguage ? t('language_unknown') : undefined}
          value={added}
          maxLength={2}
          spellcheck={false}
          onInput={setAdded}
        />
      </form>
    </Dialog>
  )
}
