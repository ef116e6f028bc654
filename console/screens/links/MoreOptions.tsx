import { TextArea, TextField } from '../../ui/Field.tsx'
import type { PartProps } from './link-draft.ts'
import { t } from './links-words.ts'

/** What few links need. */
export function MoreOptions({ draft, set, problems }: PartProps) {
  return (
    <details class="editor-more">
      <summary>{t('more_options')}</summary>
      <TextField
        label={t('channel_label')}
        hint={t('channel_hint')}
        value={draft.channel}
        onInput={(channel) => set({ channel })}
      />
      {draft.uses === 'once' && (
        <TextArea
          label={t('state_json')}
          hint={t('state_json_hint')}
          value={draft.state}
          error={problems.state && t('state_wrong')}
          onInput={(state) => set({ state })}
        />
      )}
    </details>
  )
}
