import { TextArea } from '../../ui/Field.tsx'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** The sites that may show the page within theirs. */
export function EmbeddingSettings() {
  return (
    <InstanceForm>
      {({ allowed_origins: origins }, change, disabled) => (
        <TextArea
          label={t('embedding')}
          hint={t('embedding_hint')}
          value={origins.join('\n')}
          rows={5}
          disabled={disabled}
          onInput={(typed) => change({ allowed_origins: typed.split(/\s+/).filter(Boolean) })}
        />
      )}
    </InstanceForm>
  )
}
