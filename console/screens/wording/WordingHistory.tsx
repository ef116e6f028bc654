import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Empty, ErrorPanel, errorTitle, Skeleton } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { languageName, t } from './wording-words.ts'

interface Revision {
  id: string
  created: string
  note: string | null
  reverts: string | null
  changes: {
    id: string
    language: string
    branding: string | null
    before: string | null
    text: string | null
  }[]
}

/** What was published, newest first. Each can be taken back as far as nothing else was written since. */
export function WordingHistory({ editable }: { editable: boolean }) {
  const { api } = useInstance()
  const { data, error, reload } = useResource<{ string_revisions: Revision[] }>(
    api('/string_revisions?order=-created&limit=50'),
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

function RevisionItem({ revision, editable }: { revision: Revision; editable: boolean }) {
  const { api } = useInstance()
  const revert = useAction(async (key) => {
    const { left = [] } = await request<{ left?: unknown[] }>(
      'POST',
      api(`/string_revisions/${revision.id}/revert`),
      { body: {}, key },
    )
    invalidate((path) => path.startsWith(api('/string')))
    toast(left.length > 0 ? t('reverted_some', { count: left.length }) : t('reverted'))
  })
  return (
    <li>
      <p>
        <b>{revision.note ?? t('history_changes', { count: revision.changes.length })}</b>{' '}
        <Ago at={revision.created} />
      </p>
      <ul class="change-list">
        {revision.changes.map(({ id, language, branding, before, text }) => (
          <li key={`${branding}|${language}|${id}`}>
            <p>
              <code>{id}</code>{' '}
              <span class="muted">
                {languageName(language)}
                {branding && `, ${branding}`}
              </span>
            </p>
            <del dir="auto">{before ?? t('inherited')}</del>
            <ins dir="auto">{text ?? t('removed')}</ins>
          </li>
        ))}
      </ul>
      {revert.error && (
        <Banner tone="bad">
          <b>{errorTitle(revert.error)}</b> {revert.error.message}
        </Banner>
      )}
      {editable && (
        <Button icon="undo-2" busy={revert.busy} onClick={() => void revert.run()}>
          {t('revert')}
        </Button>
      )}
    </li>
  )
}
