import type { Action } from '../../api/action.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, Segmented, TextField } from '../../ui/Field.tsx'
import { ActionError, Banner } from '../../ui/States.tsx'
import { ChangeList, type ShownChange } from './ChangeList.tsx'
import { type Change, isSame, type Sentence } from './sentence.ts'
import type { Resolution } from './resolution.ts'
import { t } from './wording-words.ts'

/**
 * What is drafted, beside what is published. Where others have published meanwhile, a person chooses for
 * each sentence whose text it keeps.
 */
export function CompareDialog({
  changes,
  conflicts,
  theirs,
  published,
  places,
  note,
  publish,
  blocked,
  consents,
  agree,
  onNote,
  onTheirs,
  onClose,
}: {
  changes: readonly Change[]
  /** The changes of sentences that others have published meanwhile. */
  conflicts: readonly Change[]
  /** Of those, the ones that keep what others published. */
  theirs: readonly Sentence[]
  /** What the page says without the draft. */
  published: Resolution
  places: Readonly<Record<string, readonly string[]>>
  note: string
  publish: Action<[]>
  blocked: boolean
  /** The changes that leave a consent without its sentence. */
  consents: readonly Change[]
  /** The second yes for those; undefined for people who may not give it. */
  agree: { isAgreed: boolean; set: (on: boolean) => void } | undefined
  onNote: (note: string) => void
  onTheirs: (theirs: readonly Sentence[]) => void
  onClose: () => void
}) {
  const isConflict = conflicts.length > 0
  const keepsTheirs = (change: Sentence) => theirs.some((one) => isSame(one, change))
  const shown = (change: Change): ShownChange => ({
    ...showChange(change, published),
    ...(conflicts.includes(change) && {
      more: (
        <Segmented
          label={t('conflict_choose', { id: change.id })}
          value={keepsTheirs(change) ? 'theirs' : 'mine'}
          options={[
            { value: 'mine', label: t('mine') },
            { value: 'theirs', label: t('theirs') },
          ]}
          onChange={(value) =>
            onTheirs(
              value === 'theirs'
                ? [...theirs, change]
                : theirs.filter((one) => !isSame(one, change)),
            )
          }
        />
      ),
    }),
  })
  const others = changes.filter((change) => !conflicts.includes(change))
  return (
    <Dialog
      wide
      title={isConflict ? t('conflict') : t('changes', { count: changes.length })}
      onClose={onClose}
      footer={
        <>
          {isConflict && (
            <Button onClick={() => onTheirs(conflicts)}>{t('conflict_theirs')}</Button>
          )}
          <Button
            kind="primary"
            busy={publish.busy}
            disabled={blocked}
            onClick={() => void publish.run()}
          >
            {isConflict && theirs.length === 0 ? t('conflict_mine') : t('publish')}
          </Button>
        </>
      }
    >
      <ActionError error={publish.error} />
      {isConflict && (
        <>
          <Banner tone="wait">{t('conflict_about')}</Banner>
          <ChangeList changes={conflicts.map(shown)} places={places} />
        </>
      )}
      {consents.length > 0 && (
        <Banner tone="bad">
          {t('consent_sure', { ids: consents.map(({ id }) => id).join(', ') })}
          {agree ? (
            <CheckField label={t('consent_yes')} checked={agree.isAgreed} onChange={agree.set} />
          ) : (
            <p>{t('consent_owner')}</p>
          )}
        </Banner>
      )}
      <TextField label={t('note')} hint={t('note_hint')} value={note} onInput={onNote} />
      <ChangeList changes={others.map(shown)} places={places} />
    </Dialog>
  )
}

/** What a draft does to a sentence that is published. */
export function showChange(change: Change, published: Resolution): ShownChange {
  const { id, branding, language, text } = change
  const scope = { branding, language }
  const isRemoved = text === null
  return {
    id,
    branding,
    language,
    before: published.text(scope, id),
    after: isRemoved ? published.inherited(scope, id) : text,
    ...(isRemoved && { notes: { after: t('removed') } }),
  }
}
