import { paletteOf, schemesOf } from '../../../shared/rules/palette.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { PagePreview } from '../../preview/PagePreview.tsx'
import { Field, Segmented, TextField } from '../../ui/Field.tsx'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Details.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Banner } from '../../ui/States.tsx'
import { InstanceForm } from '../settings/InstanceForm.tsx'
import { t } from '../settings/settings-words.ts'
import '../settings/settings.css'

type Theme = NonNullable<InstanceRecord['theme']>
type Branding = InstanceRecord['brandings'][number]

/** Colors and corners of the payer's page, and its brandings. */
export function Look() {
  return (
    <>
      <ScreenHead title={t('look')} />
      <div class="settings">
        <InstanceForm>
          {({ theme, brandings }, change, disabled) => (
            <>
              <ThemeFields
                theme={theme ?? {}}
                disabled={disabled}
                onChange={(next) => change({ theme: next })}
              />
              <ContrastNote theme={theme ?? {}} />
              <Section title={t('look_preview')}>
                <PagePreview theme={theme ?? {}} />
              </Section>
              <Section title={t('brandings')}>
                <ul class="brandings">
                  {brandings.map((branding, at) => (
                    <BrandingFields
                      key={at}
                      branding={branding}
                      disabled={disabled}
                      onChange={(next) =>
                        change({ brandings: brandings.toSpliced(at, 1, ...(next ? [next] : [])) })
                      }
                    />
                  ))}
                </ul>
                {!disabled && (
                  <Button
                    icon="plus"
                    onClick={() =>
                      change({
                        brandings: [
                          ...brandings,
                          { key: '', name: '', channels: [], logo: null, theme: null },
                        ],
                      })
                    }
                  >
                    {t('branding_add')}
                  </Button>
                )}
              </Section>
            </>
          )}
        </InstanceForm>
      </div>
    </>
  )
}

const COLORS = [
  ['accent', '#0b6b4f'],
  ['surface', '#ffffff'],
  ['text', '#16201c'],
] as const

function ThemeFields({
  theme,
  disabled,
  onChange,
}: {
  theme: Theme
  disabled: boolean
  onChange: (theme: Theme) => void
}) {
  return (
    <>
      {COLORS.map(([name, standard]) => (
        <Field key={name} label={t(name)}>
          {(attributes) => (
            <span class="color-field">
              <input
                {...attributes}
                type="color"
                value={theme[name] ?? standard}
                disabled={disabled}
                onInput={({ currentTarget }) => onChange({ ...theme, [name]: currentTarget.value })}
              />
              <code>{theme[name] ?? standard}</code>
            </span>
          )}
        </Field>
      ))}
      <Segmented
        label={t('radius')}
        value={theme.radius ?? '10px'}
        options={['0px', '4px', '10px', '18px'].map((value) => ({ value, label: value }))}
        onChange={(radius) => !disabled && onChange({ ...theme, radius })}
      />
    </>
  )
}

/** What the page does with a color that is hard to read. */
function ContrastNote({ theme }: { theme: Theme }) {
  const { accent } = paletteOf(theme, schemesOf(theme)[0] ?? 'light')
  if (!theme.accent || !accent || accent === theme.accent) return null
  return <Banner tone="news">{t('contrast_moved', { from: theme.accent, to: accent })}</Banner>
}

function BrandingFields({
  branding,
  disabled,
  onChange,
}: {
  branding: Branding
  disabled: boolean
  onChange: (branding: Branding | undefined) => void
}) {
  const set = (members: Partial<Branding>) => onChange({ ...branding, ...members })
  return (
    <li>
      <TextField
        label={t('branding_name')}
        value={branding.name}
        disabled={disabled}
        onInput={(name) => set({ name })}
      />
      <TextField
        label={t('branding_key')}
        value={branding.key}
        disabled={disabled}
        onInput={(key) => set({ key })}
      />
      <TextField
        label={t('branding_channels')}
        hint={t('branding_channels_hint')}
        value={branding.channels.join(', ')}
        disabled={disabled}
        onInput={(typed) => set({ channels: typed.split(/\s*,\s*/).filter(Boolean) })}
      />
      <TextField
        label={t('branding_logo')}
        type="url"
        value={branding.logo ?? ''}
        placeholder="https://"
        disabled={disabled}
        onInput={(logo) => set({ logo: logo === '' ? null : logo })}
      />
      {!disabled && (
        <Button icon="trash" onClick={() => onChange(undefined)}>
          {t('branding_remove')}
        </Button>
      )}
    </li>
  )
}
