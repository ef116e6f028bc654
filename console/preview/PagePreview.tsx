import { useMemo, useState } from 'preact/hooks'
import type { PreviewDrawing } from '../../shared/preview-messages.ts'
import type { Theme } from '../../shared/rules/palette.ts'
import { themeCss } from '../../shared/rules/theme-css.ts'
import type { InstanceRecord } from '../../shared/schemas/instance.ts'
import { useInstance } from '../address.ts'
import { useResource } from '../api/resource.ts'
import { Preview } from './Preview.tsx'
import { type Device, PreviewTools, type Scheme } from './PreviewTools.tsx'

interface StringList {
  strings: { id: string; text: string }[]
}

/** The form as a payer would see it, in the base language, with the instance's own wording and look. */
export function PagePreview({
  theme,
  link,
  merchant,
  currency,
  branding,
  scheme: fixed,
}: {
  /** Instead of the stored theme. */
  theme?: Theme
  link?: PreviewDrawing['link']
  /** Instead of the stored name. */
  merchant?: string
  currency?: string
  /** Whose wording is shown; that of the instance when omitted. */
  branding?: string
  /** Shows a picture of the page in these colors on a phone, instead of letting a person choose. */
  scheme?: Scheme
}) {
  const instance = useInstance()
  const { api, key } = instance
  const strings = useResource<StringList>(
    api(`/strings?limit=1000${branding === undefined ? '' : `&branding=${branding}`}`),
  )
  const stored = useResource<{ instance: InstanceRecord }>(api(`/instances/${key}`))
  const [device, setDevice] = useState<Device>('phone')
  const [chosen, setScheme] = useState<Scheme>('light')
  const scheme = fixed ?? chosen
  const shownTheme = theme ?? stored.data?.instance.theme ?? {}
  const shownCurrency = currency ?? instance.currency
  const shownMerchant = merchant ?? instance.name
  const look = JSON.stringify([shownTheme, link, shownCurrency])
  const drawing = useMemo(
    (): PreviewDrawing | undefined =>
      strings.data && {
        scene: 'form',
        strings: Object.fromEntries(strings.data.strings.map(({ id, text }) => [id, text])),
        language: 'default',
        direction: 'ltr',
        merchant: shownMerchant,
        currency: shownCurrency,
        css: themeCss(shownTheme),
        scheme,
        ...(link && { link }),
        marked: [],
        chosen: null,
        own: [],
        stale: [],
      },
    [strings.data, look, scheme, shownMerchant],
  )
  if (!drawing) return null
  return (
    <div class="page-preview" inert={fixed !== undefined}>
      {fixed === undefined && (
        <div class="page-preview-tools">
          <PreviewTools device={device} scheme={scheme} onDevice={setDevice} onScheme={setScheme} />
        </div>
      )}
      <Preview drawing={drawing} device={device} />
    </div>
  )
}
