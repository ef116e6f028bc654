import { useState } from 'preact/hooks'
import { boot } from '../../boot.ts'
import type { Preferences } from '../../../shared/schemas/preferences.ts'
import { preferences, useSavePreferences } from '../../preferences.ts'
import { lettersAct, setLettersAct } from '../../shell/shortcuts.ts'
import { KeyValue, Section } from '../../ui/Details.tsx'
import { CheckField, Segmented, SelectField } from '../../ui/Field.tsx'
import { ActionError } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from '../settings/settings-words.ts'
import { Sessions } from '../users/Sessions.tsx'
import { roleText } from '../users/user-texts.ts'
import { SignIn } from './SignIn.tsx'
import '../settings/settings.css'

/** The signed-in user, and how they have set up the console. */
export function Me() {
  const [letters, setLetters] = useState(lettersAct())
  const { theme, density, timezone } = preferences.value
  const saving = useSavePreferences()
  const change = async (members: Partial<Preferences>) => {
    if (await saving.save(members)) toast(t('preferences_saved'))
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
            value={theme}
            options={(['system', 'light', 'dark'] as const).map((value) => ({
              value,
              label: t(value),
            }))}
            onChange={(theme) => void change({ theme })}
          />
        </Section>
        <Section title={t('density')}>
          <Segmented
            label={t('density')}
            value={density}
            options={(['normal', 'compact'] as const).map((value) => ({ value, label: t(value) }))}
            onChange={(density) => void change({ density })}
          />
        </Section>
        <Section title={t('times')}>
          <SelectField
            label={t('timezone')}
            value={timezone ?? ''}
            options={[
              { value: '', label: t('timezone_of_instance') },
              ...Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value })),
            ]}
            onChange={(value) => void change({ timezone: value === '' ? null : value })}
          />
        </Section>
        <ActionError error={saving.error} />
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
