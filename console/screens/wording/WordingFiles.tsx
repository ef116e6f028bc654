import { useState } from 'preact/hooks'
import type { z } from 'zod'
import type { StringScope } from '../../../shared/rules/inherit.ts'
import type {
  stringExportResponse,
  StringFileFormat,
  stringImportResponse,
} from '../../../shared/schemas/string-transfer.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { saveFile } from '../../api/download.ts'
import { request } from '../../api/request.ts'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Details.tsx'
import { Segmented, SelectField } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ActionError, Banner } from '../../ui/States.tsx'
import { toast } from '../../ui/toast.ts'
import { ChangeList } from './ChangeList.tsx'
import type { Draft } from './draft.ts'
import { formatOf } from './file-format.ts'
import type { Resolution } from './resolution.ts'
import { languageName, t } from './wording-words.ts'

const FORMATS: readonly { value: StringFileFormat; label: string }[] = [
  { value: 'CSV', label: 'CSV' },
  { value: 'JSON', label: 'JSON' },
  { value: 'XLIFF_1_2', label: 'XLIFF 1.2' },
  { value: 'XLIFF_2_0', label: 'XLIFF 2.0' },
]

const ONLY = ['own', 'stale', 'all'] as const

type Compared = z.output<typeof stringImportResponse>['string_import']

/** The sentences of one language and branding as a file, to be translated elsewhere and brought back. */
export function WordingFiles({
  scope,
  published,
  draft,
  editable,
}: {
  scope: StringScope
  published: Resolution
  draft: Draft
  editable: boolean
}) {
  return (
    <div class="wording-files">
      <Export scope={scope} />
      {editable && (
        <Import
          key={`${scope.branding}|${scope.language}`}
          scope={scope}
          published={published}
          draft={draft}
        />
      )}
    </div>
  )
}

function Export({ scope }: { scope: StringScope }) {
  const { api } = useInstance()
  const [format, setFormat] = useState<StringFileFormat>('CSV')
  const [only, setOnly] = useState<(typeof ONLY)[number]>('all')
  const save = useAction(async () => {
    const query = new URLSearchParams({ format, only, ...namesOf(scope) })
    const { string_export: file } = await request<z.output<typeof stringExportResponse>>(
      'GET',
      api(`/string_exports?${query.toString()}`),
    )
    saveFile(file.file_name, new Blob([file.content]))
  })
  return (
    <Section title={t('export')}>
      <p class="muted">{t('export_about', { language: languageName(scope.language) })}</p>
      <SelectField
        label={t('file_format')}
        value={format}
        options={FORMATS}
        onChange={(value) => setFormat(value as StringFileFormat)}
      />
      <Segmented
        label={t('export_only')}
        value={only}
        options={ONLY.map((value) => ({ value, label: t(`only_${value}`) }))}
        onChange={setOnly}
      />
      <ActionError error={save.error} />
      <Button icon="download" busy={save.busy} onClick={() => void save.run()}>
        {t('export_save')}
      </Button>
    </Section>
  )
}

function Import({
  scope,
  published,
  draft,
}: {
  scope: StringScope
  published: Resolution
  draft: Draft
}) {
  const { api } = useInstance()
  const [isOver, setOver] = useState(false)
  const [unknown, setUnknown] = useState<string>()
  const [compared, setCompared] = useState<Compared>()
  const compare = useAction(async (key, file: File) => {
    setCompared(undefined)
    const content = await file.text()
    const format = formatOf(file.name, content)
    setUnknown(format === undefined ? file.name : undefined)
    if (format === undefined) return
    const body = { string_import: { format, content, ...namesOf(scope) } }
    const answer = await request<z.output<typeof stringImportResponse>>(
      'POST',
      api('/string_imports'),
      { body, key },
    )
    setCompared(answer.string_import)
  })
  function take({ changes, version }: Compared): void {
    for (const { id, text } of changes) {
      const sentence = { ...scope, id }
      draft.set(sentence, text, { version, was: published.publishedText(sentence) })
    }
    toast(t('import_taken', { count: changes.length }))
    setCompared(undefined)
  }
  return (
    <Section title={t('import')}>
      <p class="muted">{t('import_about', { language: languageName(scope.language) })}</p>
      <label
        class={`drop ${isOver ? 'is-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const file = event.dataTransfer?.files[0]
          if (file) void compare.run(file)
        }}
      >
        <Icon name="upload" />
        {t(compare.busy ? 'import_comparing' : 'import_choose')}
        <input
          class="visually-hidden"
          type="file"
          accept=".json,.csv,.xlf,.xliff"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            // The same file can be chosen again after it was mended.
            currentTarget.value = ''
            if (file) void compare.run(file)
          }}
        />
      </label>
      <ActionError error={compare.error} />
      {unknown !== undefined && (
        <div role="alert">
          <Banner tone="bad">{t('import_unknown', { name: unknown })}</Banner>
        </div>
      )}
      {compared && <Comparison compared={compared} scope={scope} onTake={() => take(compared)} />}
    </Section>
  )
}

/** What a file would change. Nothing is written before it is published. */
function Comparison({
  compared: { changes, unchanged, refused },
  scope,
  onTake,
}: {
  compared: Compared
  scope: StringScope
  onTake: () => void
}) {
  return (
    <>
      <p role="status">
        {t('import_changes', { count: changes.length })}{' '}
        {t('import_unchanged', { count: unchanged })}
      </p>
      {refused.length > 0 && (
        <Banner tone="wait">
          <b>{t('import_refused', { count: refused.length })}</b>
          <ul>
            {refused.map(({ id, because }) => (
              <li key={id}>
                <code>{id}</code> {because}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      {changes.length > 0 && (
        <>
          <Button kind="primary" onClick={onTake}>
            {t('import_take', { count: changes.length })}
          </Button>
          <ChangeList
            changes={changes.map(({ id, before, text }) => ({
              ...scope,
              id,
              before,
              after: text ?? t('import_removed'),
            }))}
          />
        </>
      )}
    </>
  )
}

/** The API leaves out what a scope does not name. */
function namesOf({ language, branding }: StringScope) {
  return { language, ...(branding !== '' && { branding }) }
}
