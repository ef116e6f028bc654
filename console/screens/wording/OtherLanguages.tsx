import { useLocation } from 'preact-iso'
import { baseIdOf, type StringScope } from '../../../shared/rules/inherit.ts'
import { intlLanguage, type Strings } from '../../../shared/rules/wording.ts'
import { Button } from '../../ui/Button.tsx'
import { ActionError, Banner } from '../../ui/States.tsx'
import { useAcknowledge } from './acknowledge.ts'
import type { Resolution } from './resolution.ts'
import { isLoaded } from './shipped.ts'
import { Dot } from './States.tsx'
import { languageName, t } from './wording-words.ts'

const SHOWN = 6

/** What a sentence says in other languages: first where it is stale, then where it is the merchant's own. */
export function OtherLanguages({
  id,
  scope,
  languages,
  resolution,
  shipped,
  version,
  drafted,
  isWritable,
  onLanguage,
}: {
  id: string
  scope: StringScope
  languages: readonly string[]
  resolution: Resolution
  shipped: Readonly<Record<string, Strings>>
  version: number
  /** The sentence has a draft: what is not published cannot be found right. */
  drafted: boolean
  isWritable: (language: string) => boolean
  onLanguage: (language: string) => void
}) {
  const { url, path } = useLocation()
  const acknowledge = useAcknowledge(version)
  const own = (language: string) => resolution.own({ ...scope, language }).includes(id)
  const others = languages
    .filter((language) => language !== scope.language && isLoaded(shipped, language))
    .map((language) => {
      const reason = resolution.stale({ ...scope, language }, id)
      return { language, reason, isOwn: own(language) }
    })
  const rank = ({ language, reason, isOwn }: (typeof others)[number]) =>
    language === 'default' ? 0 : reason ? 1 : isOwn ? 2 : 3
  const shown = others.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN)
  const stale = others.filter(({ reason }) => reason === 'BASE_CHANGED')
  const acknowledged = stale.filter(({ language }) => isWritable(language))
  const base = shipped['default'] ?? {}
  const baseId = baseIdOf({ base }, id)
  const table = new URLSearchParams(url.split('?')[1] ?? '')
  table.set('view', 'table')
  table.set('find', id)
  table.set('langs', languages.filter((each) => each !== 'default').join())
  return (
    <>
      <h2>
        {t('others')}{' '}
        <a href={`${path}?${table}`}>{t('all_languages', { count: languages.length })}</a>
      </h2>
      <ul class="other-languages">
        {shown.map(({ language, reason, isOwn }) => (
          <li key={language}>
            <button type="button" onClick={() => onLanguage(language)}>
              <span>{languageName(language)}</span>
              <span lang={intlLanguage(language)} dir="auto" class={isOwn ? 'own' : ''}>
                {resolution.text({ ...scope, language }, id)}
              </span>
              {reason && <Dot label={t(`stale_${reason}`)} />}
            </button>
          </li>
        ))}
      </ul>
      {stale.length > 1 && (
        <Banner tone="wait">
          <p>
            {t('others_stale', {
              count: stale.length,
              text: resolution.text({ ...scope, language: 'default' }, baseId),
              shipped: base[baseId] ?? '',
            })}
          </p>
          <ActionError error={acknowledge.error} />
          {acknowledged.length > 0 && !drafted && (
            <Button
              icon="check"
              busy={acknowledge.busy}
              onClick={() =>
                void acknowledge.run(
                  acknowledged.map(({ language }) => ({ branding: scope.branding, language, id })),
                )
              }
            >
              {t('all_still_right', { count: acknowledged.length })}
            </Button>
          )}
        </Banner>
      )}
    </>
  )
}
