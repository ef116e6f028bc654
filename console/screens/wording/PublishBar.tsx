import { useEffect, useState } from 'preact/hooks'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { boot } from '../../boot.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { ChangeList } from './ChangeList.tsx'
import { CompareDialog, showChange } from './CompareDialog.tsx'
import type { Draft } from './draft.ts'
import { type Change, isSame, type Sentence } from './sentence.ts'
import type { Resolution } from './resolution.ts'
import { t } from './wording-words.ts'

/** Without its sentence nobody consents to anything, so that an owner says yes twice. */
const takesConsent = ({ id, text }: Change) => id.startsWith('consent.') && text === ''

/** The bar that holds what is drafted until it is published or discarded. */
export function PublishBar({
  draft,
  published,
  places,
  version,
  blocked,
}: {
  draft: Draft
  /** What the page says without the draft. */
  published: Resolution
  /** The names of the states that each id is in. */
  places: Readonly<Record<string, readonly string[]>>
  version: number
  /** A text breaks a rule, so that nothing can be published. */
  blocked: boolean
}) {
  const { api } = useInstance()
  const [isComparing, setComparing] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const [note, setNote] = useState('')
  const [theirs, setTheirs] = useState<readonly Sentence[]>([])
  const { changes } = draft
  const conflicts = changes.filter((change) => published.publishedText(change) !== change.was)
  const [agreed, setAgreed] = useState<readonly Sentence[]>([])
  const consents = changes.filter(takesConsent)
  const isAgreed = consents.every((change) => agreed.some((one) => isSame(one, change)))
  const isOwner = boot.user.role === 'OWNER'
  const dropped = conflicts.filter((change) => theirs.some((one) => isSame(one, change)))
  const publish = useAction(async (idempotencyKey) => {
    const kept = changes.filter((change) => !dropped.includes(change))
    if (kept.length > 0) {
      const revision = {
        // The dialog shows what others published, so the changes are based on it.
        base_version: (conflicts.length > 0 ? version : draft.base) ?? version,
        ...(note.trim() !== '' && { note: note.trim() }),
        changes: kept.map(({ id, language, branding, text }) => ({
          id,
          language,
          text,
          ...(branding !== '' && { branding }),
        })),
      }
      try {
        await request('POST', api('/string_revisions'), { body: { revision }, key: idempotencyKey })
      } catch (error) {
        setComparing(true)
        throw error
      } finally {
        invalidate((path) => path.startsWith(api('/string')))
      }
      toast(t('published'))
    }
    draft.drop(changes)
    setComparing(false)
    setNote('')
    setTheirs([])
  })
  function publishOrCompare(): void {
    if (conflicts.length > 0 || !isAgreed) setComparing(true)
    else void publish.run()
  }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && event.key === 'Enter'
      if (isShortcut && changes.length > 0 && !blocked && !isDiscarding) publishOrCompare()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  if (changes.length === 0) return null
  return (
    <div class="publish-bar" role="group" aria-label={t('changes', { count: changes.length })}>
      <p>
        <b>{t('changes', { count: changes.length })}</b>{' '}
        <span class="muted">{t('changes_kept')}</span>
      </p>
      <Button kind="plain" onClick={() => setDiscarding(true)}>
        {t('discard')}
      </Button>
      <Button onClick={() => setComparing(true)}>{t('compare')}</Button>
      <Button
        kind="primary"
        keys="⌘↵"
        busy={publish.busy}
        disabled={blocked}
        onClick={publishOrCompare}
      >
        {t('publish')}
      </Button>
      {isDiscarding && (
        <Dialog
          title={t('discard_sure')}
          onClose={() => setDiscarding(false)}
          footer={
            <Button
              kind="danger"
              onClick={() => {
                draft.clear()
                setDiscarding(false)
              }}
            >
              {t('discard')}
            </Button>
          }
        >
          <ChangeList changes={changes.map((change) => showChange(change, published))} />
        </Dialog>
      )}
      {isComparing && (
        <CompareDialog
          changes={changes}
          conflicts={conflicts}
          theirs={dropped}
          published={published}
          places={places}
          note={note}
          publish={publish}
          blocked={blocked || !isAgreed}
          consents={consents}
          agree={isOwner ? { isAgreed, set: (on) => setAgreed(on ? consents : []) } : undefined}
          onNote={setNote}
          onTheirs={setTheirs}
          onClose={() => setComparing(false)}
        />
      )}
    </div>
  )
}
