import { Segmented } from '../ui/Field.tsx'
import { t } from './preview-words.ts'

export type Device = 'phone' | 'desktop'
export type Scheme = 'light' | 'dark'

/** On which device and in which colors the page is shown. */
export function PreviewTools({
  device,
  scheme,
  onDevice,
  onScheme,
}: {
  device: Device
  scheme: Scheme
  onDevice: (device: Device) => void
  onScheme: (scheme: Scheme) => void
}) {
  return (
    <>
      <Segmented
        label={t('device')}
        value={device}
        options={[
          { value: 'phone', label: t('phone') },
          { value: 'desktop', label: t('desktop') },
        ]}
        onChange={onDevice}
      />
      <Segmented
        label={t('scheme')}
        value={scheme}
        options={[
          { value: 'light', label: t('light') },
          { value: 'dark', label: t('dark') },
        ]}
        onChange={onScheme}
      />
    </>
  )
}
