import { useState } from 'preact/hooks'
import type { StringRevisionRecord } from '../../../shared/schemas/string-revision.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Empty, ErrorPanel, errorTitle, Skeleton } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { languageName, t } from './wording-words.ts'

/** What was published, newest first. Each can be taken back as far as nothing else was written since. */
export function WordingHistory({ editable }: { editable: boolean }) {
  const { api } = useInstance()
  const { data, error, reload } = useResource<{ string_revisions: StringRevisionRecord[] }>(
    api('/string_revisions?limit=50'),
  )
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  if (data.string_revisions.length === 0) return <Empty>{t('history_empty')}</Empty>
  return (
    <ol class="wording-history">
      {data.string_revisions.map((revision) => (
        <RevisionItem key={revision.id} revision={revision} editable={editable} />
      ))}
    </ol>
  )
}

function RevisionItem({
  revision,
  editable,
}: {
  revision: StringRevisionRecord
  editable: boolean
}) {
  const { api } = useInstance()
  const [open, setOpen] = useState(false)
  const revert = useAction(async (key) => {
    const { skipped } = await request<{ skipped: unknown[] }>(
      'POST',
      api(`/string_revisions/${revision.id}/revert`),
      { body: {}, key },
    )
    invalidate((path) => path.startsWith(api('/string')))
    toast(skipped.length > 0 ? t('reverted_some', { count: skipped.length }) : t('reverted'))
  })
  const count = t('history_changes', { count: revision.change_count })
  return (
    <li>
      <p>
        <b>{revision.note ?? (revision.reverts === null ? count : t('reverted'))}</b>{' '}
        <span class="muted">
          {count}, <Ago at={revision.created} />
        </span>
      </p>
      {revert.error && (
        <div role="alert">
          <Banner tone="bad">
            <b>{errorTitle(revert.error)}</b> {revert.error.message}
          </Banner>
        </div>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('compare')}</summary>
        {open && <RevisionChanges id={revision.id} />}
      </details>
      {editable && (
        <Button icon="undo-2" busy={revert.busy} onClick={() => void revert.run()}>
          {t('revert')}
        </Button>
      )}
    </li>
  )
}

function RevisionChanges({ id }: { id: string }) {
  const { api } = useInstance()
  const { data, error, reload } = useResource<{ string_revision: StringRevisionRecord }>(
    api(`/string_revisions/${encodeURIComponent(id)}`),
  )
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton rows={2} />
  return (
    <ul class="change-list">
      {data.string_revision.changes?.map((change) => (
        <li key={`${change.branding}|${change.language}|${change.id}`}>
          <p>
            <code>{change.id}</code>{' '}
            <span class="muted">
              {languageName(change.language)}
              {change.branding && `, ${change.branding}`}
            </span>
          </p>
          <del dir="auto">{change.before ?? t('inherited')}</del>
          <ins dir="auto">{change.text ?? t('removed')}</ins>
        </li>
      ))}
    </ul>
  )
}
