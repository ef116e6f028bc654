import { Section } from '../../ui/Details.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { RadioCards } from '../../ui/Radio.tsx'
import type { PartProps } from './link-draft.ts'
import { t } from './links-words.ts'

/** Where the payer is led after the payment. */
export function Afterwards({ draft, set, problems }: PartProps) {
  return (
    <Section title={t('afterwards')}>
      <RadioCards
        label={t('afterwards')}
        value={draft.after}
        options={[
          { value: 'receipt', label: t('after_receipt'), hint: t('after_receipt_hint') },
          { value: 'straight', label: t('after_straight') },
          { value: 'only', label: t('after_only') },
        ]}
        onChange={(after) => set({ after })}
      />
      {draft.after !== 'only' && (
        <TextField
          label={t('back_page')}
          type="url"
          hint={t('back_page_hint')}
          value={draft.successUrl}
          placeholder="https://"
          error={problems.successUrl && t('check_https')}
          onInput={(successUrl) => set({ successUrl: successUrl.trim() })}
        />
      )}
      <CheckField
        label={t('options_of_receipt')}
        checked={draft.receiptEmail}
        onChange={(receiptEmail) => set({ receiptEmail })}
      />
    </Section>
  )
}
