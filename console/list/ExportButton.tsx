import { useAction } from '../api/action.ts'
import { downloadCsv } from '../api/download.ts'
import { useInstance } from '../address.ts'
import { online } from '../shell/online.ts'
import { IconButton } from '../ui/Button.tsx'
import { ErrorPanel } from '../ui/States.tsx'
import { t } from './list-words.ts'

/** Saves all rows of a list that match, not only this page, as CSV with the times of the shop. */
export function ExportButton({
  name,
  criteria,
  order,
}: {
  /** Path of the list, such as `payment_links`. */
  name: string
  criteria: string
  order: string
}) {
  const { api, key, timezone } = useInstance()
  const { busy, error, run } = useAction(async () => {
    const query = new URLSearchParams({
      timezone: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(criteria && { criteria }),
      ...(order && { order }),
    })
    await downloadCsv(api(`/${name}?${query.toString()}`), `${key}-${name}.csv`)
  })
  return (
    <>
      <IconButton
        icon="download"
        label={busy ? t('exporting') : t('export')}
        aria-busy={busy || undefined}
        disabled={busy || !online.value}
        onClick={() => void run()}
      />
      {error && <ErrorPanel error={error} />}
    </>
  )
}
