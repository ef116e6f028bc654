import { useState } from 'preact/hooks'
import type {
  revertResponse,
  StringRevisionRecord,
} from '../../../shared/schemas/string-revision.ts'
import type { z } from 'zod'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import type { ListMeta } from '../../api/lists.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { boot } from '../../boot.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ActionError, Empty, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { ChangeList } from './ChangeList.tsx'
import type { Resolution } from './resolution.ts'
import { languageName, t } from './wording-words.ts'

const PAGE = 25

interface Revisions {
  string_revisions: StringRevisionRecord[]
  meta: ListMeta
}

type Reverted = z.output<typeof revertResponse>

/** What was published, newest first. Each can be taken back as far as nothing else was written since. */
export function WordingHistory({
  published,
  editable,
}: {
  published: Resolution
  editable: boolean
}) {
  const { api } = useInstance()
  const [limit, setLimit] = useState(PAGE)
  const { data, error, reload } = useResource<Revisions>(
    api(`/string_revisions?expand=created_session&limit=${limit}`),
  )
  const { data: users } = useResource<{ users: { id: string; email: string }[] }>(
    usePermission('users:read') ? api('/users?limit=100') : null,
  )
  const nameOf = (id: string) => users?.users.find((user) => user.id === id)?.email
  // A longer list is on its way while the shorter one is shown.
  const [shown, setShown] = useState<Revisions>()
  if (data && data !== shown) setShown(data)
  const list = data ?? shown
  if (!list) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  if (list.string_revisions.length === 0) return <Empty>{t('history_empty')}</Empty>
  return (
    <>
      <ol class="wording-history">
        {list.string_revisions.map((revision) => (
          <RevisionItem
            key={revision.id}
            revision={revision}
            maker={makerText(revision.created_session, nameOf)}
            published={published}
            editable={editable}
          />
        ))}
      </ol>
      {list.meta.total > list.string_revisions.length && (
        <p>
          <Button onClick={() => setLimit(limit + PAGE)}>{t('more')}</Button>
        </p>
      )}
    </>
  )
}

function RevisionItem({
  revision,
  maker,
  published,
  editable,
}: {
  revision: StringRevisionRecord
  /** Who published it. */
  maker: string
  published: Resolution
  editable: boolean
}) {
  const { api } = useInstance()
  const [open, setOpen] = useState(false)
  const [skipped, setSkipped] = useState<Reverted['skipped']>([])
  const revert = useAction(async (key) => {
    const path = api(`/string_revisions/${revision.id}/revert`)
    const reverted = await request<Reverted>('POST', path, { body: {}, key })
    invalidate((each) => each.startsWith(api('/string')))
    setSkipped(reverted.skipped)
    if (reverted.string_revision !== null) toast(t('reverted'))
  })
  const count = t('history_changes', { count: revision.change_count })
  return (
    <li>
      <p>
        <b>{revision.note ?? (revision.reverts === null ? count : t('reverted'))}</b>{' '}
        <span class="muted">
          {count} · {maker} · <Ago at={revision.created} />
        </span>
      </p>
      <ActionError error={revert.error} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('compare')}</summary>
        {open && <RevisionChanges id={revision.id} published={published} />}
      </details>
      {editable && (
        <Button icon="undo-2" busy={revert.busy} onClick={() => void revert.run()}>
          {t('revert')}
        </Button>
      )}
      {skipped.length > 0 && (
        <Dialog
          title={t('reverted_some', { count: skipped.length })}
          onClose={() => setSkipped([])}
        >
          <ul class="change-list">
            {skipped.map(({ id, language, branding, text, because }) => (
              <li key={`${branding}|${language}|${id}`}>
                <p>
                  <code>{id}</code>{' '}
                  <span class="muted">
                    {[languageName(language), branding].filter(Boolean).join(' · ')}
                  </span>
                </p>
                <p dir="auto">{text ?? t('inherited')}</p>
                <p class="muted">{t(`skipped_${because}`)}</p>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </li>
  )
}

/** Who published: oneself, another user, or a program. */
function makerText(
  actor: StringRevisionRecord['created_session'],
  nameOf: (user: string) => string | undefined,
): string {
  if (actor === null) return t('maker_unknown')
  if (typeof actor === 'string') return actor
  if (actor.user === boot.user.id) return t('maker_you')
  if (actor.user !== null) return nameOf(actor.user) ?? t('maker_user')
  return t(`maker_${actor.type === 'OAUTH' ? 'platform' : 'key'}`)
}

function RevisionChanges({ id, published }: { id: string; published: Resolution }) {
  const { api } = useInstance()
  const { data, error, reload } = useResource<{ string_revision: StringRevisionRecord }>(
    api(`/string_revisions/${encodeURIComponent(id)}`),
  )
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton rows={2} />
  const changes = (data.string_revision.changes ?? []).map(
    ({ id: of, language, branding, before, text }) => {
      const scope = { branding: branding ?? '', language }
      const inherited = published.inherited(scope, of)
      return {
        ...scope,
        id: of,
        before: before ?? inherited,
        after: text ?? inherited,
        notes: {
          ...(before === null && { before: t('inherited') }),
          ...(text === null && { after: t('removed') }),
        },
      }
    },
  )
  return <ChangeList changes={changes} />
}
