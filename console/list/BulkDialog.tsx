import { useState } from 'preact/hooks'
import { useInstance } from '../address.ts'
import { useAction } from '../api/action.ts'
import { invalidate } from '../api/resource.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { countText } from '../ui/count-text.ts'
import { TextField } from '../ui/Field.tsx'
import { toast } from '../ui/toast.ts'
import type { BulkAction } from './definition.ts'
import { t } from './list-words.ts'

/** Asks before something is done with several rows, then does it with one after the other. */
export function BulkDialog<Row>({
  action,
  rows,
  onDone,
  onClose,
}: {
  action: BulkAction<Row>
  rows: readonly Row[]
  onDone: () => void
  onClose: () => void
}) {
  const { api } = useInstance()
  /** How many are done: after an error, the next press goes on from there. */
  const [done, setDone] = useState(0)
  const [text, setText] = useState('')
  const act = useAction(async () => {
    for (let at = done; at < rows.length; at += 1) {
      const row = rows[at]
      if (row !== undefined) await action.run(row, text.trim())
      setDone(at + 1)
    }
    invalidateAll()
    toast(action.done(rows.length))
    onDone()
  })
  const invalidateAll = () =>
    invalidate((path) => action.changes.some((changed) => path.startsWith(api(changed))))
  const close = () => {
    if (done > 0) invalidateAll()
    onClose()
  }
  return (
    <ConfirmDialog
      title={action.title(rows.length)}
      label={action.label}
      kind={action.danger ? 'danger' : 'primary'}
      isForm={action.field !== undefined}
      disabled={action.field !== undefined && text.trim() === ''}
      action={act}
      onClose={close}
    >
      <p>{action.explain}</p>
      {action.field && (
        <TextField {...action.field} value={text} autocomplete="off" onInput={setText} />
      )}
      {done > 0 && (
        <p class="muted" role="status">
          {t('bulk_progress', { done: countText(done), total: countText(rows.length) })}
        </p>
      )}
    </ConfirmDialog>
  )
}
