import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { type Draft, isSame } from './draft.ts'
import type { Resolution } from './resolution.ts'
import { languageName, t } from './wording-words.ts'

type Filter = 'all' | 'own' | 'stale' | 'draft'

const ROWS_SHOWN = 60

/** Every sentence beside its base and one language, also those of mails and tasks. */
export function WordingTable({
  branding,
  language,
  resolution,
  draft,
  onChoose,
}: {
  branding: string
  language: string
  resolution: Resolution
  draft: Draft
  onChoose: (id: string) => void
}) {
  const { query } = useLocation()
  const [search, setSearch] = useState(query['find'] ?? '')
  const [filter, setFilter] = useState<Filter>('all')
  const [shown, setShown] = useState(ROWS_SHOWN)
  const scope = { branding, language }
  const texts = resolution.texts(scope)
  const base = resolution.texts({ branding, language: 'default' })
  const own = new Set(resolution.own(scope))
  const isDrafted = (id: string) => draft.changes.some((change) => isSame(change, { ...scope, id }))
  const wanted = search.trim().toLowerCase()
  const rows = resolution.ids(language).filter((id) => {
    if (filter === 'own' && !own.has(id)) return false
    if (filter === 'stale' && resolution.stale(scope, id) === undefined) return false
    if (filter === 'draft' && !isDrafted(id)) return false
    const said = `${id} ${texts[id] ?? ''} ${base[id] ?? ''}`
    return wanted === '' || said.toLowerCase().includes(wanted)
  })
  return (
    <div class="wording-table">
      <div class="wording-filter">
        <TextField type="search" label={t('search')} value={search} onInput={setSearch} />
        <SelectField
          label={t('filter')}
          value={filter}
          options={[
            { value: 'all', label: t('search_all') },
            { value: 'own', label: t('only_own') },
            { value: 'stale', label: t('only_stale') },
            { value: 'draft', label: t('only_draft') },
          ]}
          onChange={(value) => setFilter(value as Filter)}
        />
      </div>
      {rows.length === 0 ? (
        <p class="muted">{t('none_found')}</p>
      ) : (
        <div class="wording-rows" role="region" aria-label={t('view_table')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('id')}</th>
                <th scope="col">{t('base')}</th>
                {language !== 'default' && <th scope="col">{languageName(language)}</th>}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((id) => (
                <tr key={id}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => onChoose(id)}>
                      {id}
                    </button>
                  </th>
                  <td>{base[id]}</td>
                  {language !== 'default' && (
                    <td dir="auto" lang={language} class={own.has(id) ? 'own' : ''}>
                      {texts[id]}
                      {resolution.stale(scope, id) && <Pill tone="wait">{t('stale')}</Pill>}
                      {isDrafted(id) && <Pill tone="news">{t('not_published')}</Pill>}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length > shown && (
            <Button onClick={() => setShown(shown + ROWS_SHOWN)}>{t('more')}</Button>
          )}
        </div>
      )}
    </div>
  )
}
