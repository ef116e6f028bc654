import { useEffect, useState } from 'preact/hooks'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Banner, errorTitle } from '../../ui/States.tsx'
import { toast } from '../../ui/toast.ts'
import type { Change, Draft } from './draft.ts'
import type { Resolution } from './resolution.ts'
import { languageName, t } from './wording-words.ts'

/** The bar that holds what is drafted until it is published or discarded. */
export function PublishBar({
  draft,
  published,
  version,
  blocked,
}: {
  draft: Draft
  /** What the page says without the draft. */
  published: Resolution
  version: number | null
  /** A text breaks a rule, so that nothing can be published. */
  blocked: boolean
}) {
  const { api } = useInstance()
  const [isComparing, setComparing] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const [note, setNote] = useState('')
  const { changes } = draft
  const conflicts = changes.filter((change) => published.publishedText(change) !== change.was)
  const rebase = (dropped: readonly Change[]) =>
    draft.rebase(version, published.publishedText, dropped)
  const publish = useAction(async (idempotencyKey) => {
    const revision = {
      base_version: (conflicts.length > 0 ? version : draft.base) ?? version ?? 0,
      ...(note.trim() !== '' && { note: note.trim() }),
      changes: changes.map(({ id, language, branding, text }) => ({
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
    draft.clear()
    setComparing(false)
    setNote('')
    toast(t('published'))
  })
  function publishOrCompare(): void {
    if (conflicts.length > 0) setComparing(true)
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
          <ChangeList changes={changes} published={published} />
        </Dialog>
      )}
      {isComparing && changes.length > 0 && (
        <Dialog
          wide
          title={conflicts.length > 0 ? t('conflict') : t('changes', { count: changes.length })}
          onClose={() => setComparing(false)}
          footer={
            <>
              {conflicts.length > 0 && (
                <Button onClick={() => rebase(conflicts)}>{t('conflict_theirs')}</Button>
              )}
              <Button
                kind="primary"
                busy={publish.busy}
                disabled={blocked}
                onClick={() => {
                  // The dialog shows what another user published, so the changes are based on it.
                  if (conflicts.length > 0) rebase([])
                  void publish.run()
                }}
              >
                {conflicts.length > 0 ? t('conflict_mine') : t('publish')}
              </Button>
            </>
          }
        >
          {publish.error && (
            <div role="alert">
              <Banner tone="bad">
                <b>{errorTitle(publish.error)}</b> {publish.error.message}
              </Banner>
            </div>
          )}
          <TextField label={t('note')} hint={t('note_hint')} value={note} onInput={setNote} />
          <ChangeList changes={changes} published={published} />
        </Dialog>
      )}
    </div>
  )
}

function ChangeList({ changes, published }: { changes: readonly Change[]; published: Resolution }) {
  return (
    <ul class="change-list">
      {changes.map((change) => {
        const { id, language, branding, text } = change
        return (
          <li key={`${branding}|${language}|${id}`}>
            <p>
              <code>{id}</code>{' '}
              <span class="muted">
                {languageName(language)}
                {branding !== '' && `, ${branding}`}
              </span>
            </p>
            <del dir="auto">{published.texts({ branding, language })[id]}</del>
            <ins dir="auto">
              {text ?? (
                <>
                  {published.inherited({ branding, language }, id)}{' '}
                  <em class="muted">{t('removed')}</em>
                </>
              )}
            </ins>
          </li>
        )
      })}
    </ul>
  )
}
