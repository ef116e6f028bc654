import { paletteOf, schemesOf, type Theme } from '../../../shared/rules/palette.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import type { StringOverrideRecord } from '../../../shared/schemas/string-override.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { t } from './look-words.ts'

/** Leads to the look of the shop and of each of its brandings. */
export function BrandingList({
  instance: { name, theme, brandings },
  chosen,
}: {
  instance: InstanceRecord
  chosen: string | undefined
}) {
  const { screen } = useInstance()
  const counts = useStringCounts()
  return (
    <nav class="branding-list" aria-label={t('brandings')}>
      <a href={screen('/look')} aria-current={chosen === undefined ? 'page' : undefined}>
        <Mark name={name} theme={theme ?? {}} />
        <span>
          <b>{name}</b>
          <small class="muted">{t('shop')}</small>
        </span>
      </a>
      {brandings.map((branding) => (
        <a
          key={branding.key}
          href={screen(`/look/${encodeURIComponent(branding.key)}`)}
          aria-current={branding.key === chosen ? 'page' : undefined}
        >
          <Mark name={branding.name} theme={{ ...theme, ...branding.theme }} />
          <span>
            <b>{branding.name}</b>
            <small class="muted">
              {[
                branding.channels.join(', ') || t('no_channels'),
                counts && t('sentences', { count: counts(branding.key) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
        </a>
      ))}
    </nav>
  )
}

/** The first letter of a name in the colors of its buttons. */
function Mark({ name, theme }: { name: string; theme: Theme }) {
  const palette = paletteOf(theme, schemesOf(theme)[0] ?? 'light')
  return (
    <span
      class="branding-mark"
      aria-hidden="true"
      style={{ background: palette['fill'], color: palette['accent-text'] }}
    >
      {name.trim().charAt(0).toUpperCase()}
    </span>
  )
}

/** Returns how many sentences of a branding the merchant has written; undefined until that is known. */
export function useStringCounts(): ((branding: string) => number) | undefined {
  const { api } = useInstance()
  const { data } = useResource<{ string_overrides: Pick<StringOverrideRecord, 'branding'>[] }>(
    api('/string_overrides?limit=1000'),
  )
  if (!data) return undefined
  return (key) => data.string_overrides.filter(({ branding }) => branding === key).length
}
