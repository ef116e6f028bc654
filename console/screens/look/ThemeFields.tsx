import { paletteOf, schemesOf, type Theme } from '../../../shared/rules/palette.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Segmented } from '../../ui/Field.tsx'
import { Banner } from '../../ui/States.tsx'
import { t } from './look-words.ts'

/** What the page has where nothing is set. */
const SHIPPED = { accent: '#0b6b4f', surface: '#ffffff', text: '#16201c', radius: '10px' } as const
const COLORS = ['accent', 'surface', 'text'] as const
const RADII = ['0px', '4px', '10px', '18px'] as const

/** The colors and corners of a theme. A member that is not set is that of `inherited`, or what ships. */
export function ThemeFields({
  theme,
  inherited = {},
  disabled,
  onChange,
}: {
  theme: Theme
  inherited?: Theme
  disabled: boolean
  onChange: (theme: Theme) => void
}) {
  const shown = { ...SHIPPED, ...inherited, ...theme }
  const reset = (name: keyof Theme) => {
    const { [name]: _, ...others } = theme
    onChange(others)
  }
  return (
    <>
      {COLORS.map((name) => (
        <Field key={name} label={t(name)} hint={t(`hint_${name}`)}>
          {(attributes) => (
            <span class="color-field">
              <input
                {...attributes}
                type="color"
                value={shown[name]}
                disabled={disabled}
                onInput={({ currentTarget }) => onChange({ ...theme, [name]: currentTarget.value })}
              />
              <code>{shown[name]}</code>
              {theme[name] === undefined ? (
                <span class="muted">{inherited[name] ? t('from_shop') : t('shipped')}</span>
              ) : (
                !disabled && (
                  <Button kind="plain" onClick={() => reset(name)}>
                    {t('reset')}
                  </Button>
                )
              )}
            </span>
          )}
        </Field>
      ))}
      <fieldset class="field">
        <legend>
          <b>{t('radius')}</b>
        </legend>
        <Segmented
          label={t('radius')}
          value={shown.radius}
          options={[...new Set([...RADII, shown.radius])].map((value) => ({
            value,
            label: value === '0px' ? t('radius_none') : value,
          }))}
          onChange={(radius) => !disabled && onChange({ ...theme, radius })}
        />
      </fieldset>
      <Contrast theme={{ ...inherited, ...theme }} />
    </>
  )
}

/** Says what the page does with colors that are hard to read. */
function Contrast({ theme }: { theme: Theme }) {
  const schemes = schemesOf(theme)
  const palette = paletteOf(theme, schemes[0] ?? 'light')
  const moved = (name: 'accent' | 'text') => {
    const to = palette[name]
    return theme[name] !== undefined && to !== undefined && to !== theme[name]
      ? [t(`moved_${name}`, { from: theme[name], to })]
      : []
  }
  const notes = [
    ...moved('accent'),
    ...moved('text'),
    ...(schemes.length === 1 ? [t('one_scheme')] : []),
  ]
  return notes.map((note) => (
    <Banner key={note} tone="news">
      {note}
    </Banner>
  ))
}
