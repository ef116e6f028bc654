import { useState } from 'preact/hooks'
import { boot } from '../../boot.ts'
import { type Preferences, readPreferences, savePreferences } from '../../shell/preferences.ts'
import { lettersAct, setLettersAct } from '../../shell/shortcuts.ts'
import { KeyValue, Section } from '../../ui/Details.tsx'
import { CheckField, Segmented } from '../../ui/Field.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from '../settings/settings-words.ts'
import { Sessions } from '../users/Sessions.tsx'
import { roleText } from '../users/user-texts.ts'
import { SignIn } from './SignIn.tsx'
import '../settings/settings.css'

/** The signed-in user, and how this browser shows the console. */
export function Me() {
  const [preferences, setPreferences] = useState(readPreferences())
  const [letters, setLetters] = useState(lettersAct())
  const change = (members: Partial<Preferences>) => {
    const next = { ...preferences, ...members }
    setPreferences(next)
    savePreferences(next)
    toast(t('preferences_saved'))
  }
  return (
    <>
      <ScreenHead title={t('me')} />
      <div class="settings">
        <KeyValue
          rows={[
            ['Email', boot.user.email],
            [t('me_role'), roleText(boot.user)],
          ]}
        />
        <SignIn />
        <Sessions user={boot.user.id} canEnd />
        <Section title={t('theme')}>
          <Segmented
            label={t('theme')}
            value={preferences.theme}
            options={(['system', 'light', 'dark'] as const).map((value) => ({
              value,
              label: t(value),
            }))}
            onChange={(theme) => change({ theme })}
          />
        </Section>
        <Section title={t('density')}>
          <Segmented
            label={t('density')}
            value={preferences.density}
            options={(['normal', 'compact'] as const).map((value) => ({ value, label: t(value) }))}
            onChange={(density) => change({ density })}
          />
        </Section>
        <CheckField
          label={t('shortcuts')}
          hint={t('shortcuts_hint')}
          checked={letters}
          onChange={(on) => {
            setLettersAct(on)
            setLetters(on)
          }}
        />
      </div>
    </>
  )
}
