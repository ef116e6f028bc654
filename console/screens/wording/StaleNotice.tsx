import { baseIdOf, type StringScope } from '../../../shared/rules/inherit.ts'
import type { StaleReason } from '../../../shared/rules/stale.ts'
import type { Strings } from '../../../shared/rules/wording.ts'
import { Button } from '../../ui/Button.tsx'
import { ActionError, Banner } from '../../ui/States.tsx'
import { useAcknowledge } from './acknowledge.ts'
import type { Resolution } from './resolution.ts'
import { WordDiff } from './WordDiff.tsx'
import { languageName, t } from './wording-words.ts'

/** Why a sentence is stale, what to compare, and the ways out: it is still right, or gets a new text. */
export function StaleNotice({
  id,
  scope,
  reason,
  resolution,
  base,
  version,
  drafted,
  editable,
  onText,
  onEdit,
}: {
  id: string
  scope: StringScope
  reason: StaleReason
  resolution: Resolution
  /** The shipped English strings. */
  base: Strings
  version: number
  /** The sentence or its base has a draft: what is not published cannot be found right. */
  drafted: boolean
  editable: boolean
  /** Drafts a text; null takes back the merchant's own. */
  onText: (text: string | null) => void
  onEdit: () => void
}) {
  const acknowledge = useAcknowledge(version)
  const baseId = baseIdOf({ base }, id)
  const baseText = resolution.text({ ...scope, language: 'default' }, baseId)
  const isOwn = reason === 'SHIPPED_CHANGED'
  return (
    <Banner tone="wait">
      <p>
        <b>{t(`stale_${reason}`)}</b>
      </p>
      {isOwn ? (
        <WordDiff
          before={resolution.text(scope, id)}
          after={resolution.inherited(scope, id)}
          language={scope.language}
        />
      ) : reason === 'BASE_CHANGED' ? (
        <WordDiff before={base[baseId] ?? ''} after={baseText} language="default" />
      ) : (
        <p>
          <span class="muted">{languageName('default')}:</span> {baseText}
        </p>
      )}
      <ActionError error={acknowledge.error} />
      {editable && (
        <p class="stale-tools">
          {!drafted && (
            <Button
              icon="check"
              busy={acknowledge.busy}
              onClick={() => void acknowledge.run([{ ...scope, id }])}
            >
              {t('still_right')}
            </Button>
          )}
          <Button onClick={() => onText(isOwn ? null : baseText)}>
            {t(isOwn ? 'take_new' : 'take_base')}
          </Button>
          <Button icon="pencil" onClick={onEdit}>
            {t('edit')}
          </Button>
        </p>
      )}
    </Banner>
  )
}
