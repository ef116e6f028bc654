import { useState } from 'preact/hooks'
import type { Theme } from '../../../shared/rules/palette.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Empty } from '../../ui/States.tsx'
import { InstanceForm } from '../settings/InstanceForm.tsx'
import { LookPreviews } from './LookPreviews.tsx'
import { RemoveBranding } from './RemoveBranding.tsx'
import { ThemeFields } from './ThemeFields.tsx'
import { t } from './look-words.ts'

type Branding = InstanceRecord['brandings'][number]

/** The name, channels, logo and look of one branding, named by its key. `shop` is what it inherits. */
export function BrandingLook({ branding: key, shop }: { branding: string; shop: Theme }) {
  const [removing, setRemoving] = useState(false)
  const own = (brandings: readonly Branding[]) => brandings.find((each) => each.key === key)
  return (
    <InstanceForm
      needs="brandings:write"
      beside={({ brandings }) => {
        const branding = own(brandings)
        return (
          branding && (
            <LookPreviews
              theme={{ ...shop, ...branding.theme }}
              merchant={branding.name}
              branding={key}
            />
          )
        )
      }}
    >
      {({ brandings }, change, disabled) => {
        const branding = own(brandings)
        if (!branding) return <Empty>{t('gone')}</Empty>
        const set = (members: Partial<Branding>) =>
          change({
            brandings: brandings.map((each) => (each.key === key ? { ...each, ...members } : each)),
          })
        return (
          <>
            <TextField
              label={t('name')}
              hint={t('name_hint')}
              maxLength={255}
              value={branding.name}
              disabled={disabled}
              onInput={(name) => set({ name })}
            />
            <TextField
              label={t('channels')}
              hint={t('channels_hint')}
              value={branding.channels.join(', ')}
              disabled={disabled}
              onInput={(typed) => set({ channels: typed.split(/\s*,\s*/).filter(Boolean) })}
            />
            <TextField
              label={t('logo')}
              hint={t('logo_hint')}
              type="url"
              value={branding.logo ?? ''}
              placeholder="https://"
              disabled={disabled}
              onInput={(logo) => set({ logo: logo === '' ? null : logo })}
            />
            <ThemeFields
              theme={branding.theme ?? {}}
              inherited={shop}
              disabled={disabled}
              onChange={(theme) => set({ theme: Object.keys(theme).length === 0 ? null : theme })}
            />
            {!disabled && (
              <Button icon="trash" onClick={() => setRemoving(true)}>
                {t('remove')}
              </Button>
            )}
            {removing && <RemoveBranding branding={branding} onClose={() => setRemoving(false)} />}
          </>
        )
      }}
    </InstanceForm>
  )
}
