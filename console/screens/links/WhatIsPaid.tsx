import { Section } from '../../ui/Details.tsx'
import { CheckField, Segmented, SelectField, TextArea, TextField } from '../../ui/Field.tsx'
import { currencyOptions } from './currencies.ts'
import type { PartProps } from './link-draft.ts'
import { t } from './links-words.ts'

/** What is paid: its name, amount, reference and last day. */
export function WhatIsPaid({ draft, set, problems }: PartProps) {
  return (
    <Section title={t('what_is_paid')}>
      <TextField
        label={t('what_for')}
        value={draft.name}
        maxLength={255}
        onInput={(name) => set({ name })}
      />
      <div class="amount-row">
        <Segmented
          label={t('amount')}
          value={draft.amountKind}
          options={[
            { value: 'fixed', label: t('amount_fixed') },
            { value: 'suggested', label: t('amount_suggested') },
            { value: 'free', label: t('amount_free') },
          ]}
          onChange={(amountKind) => set({ amountKind })}
        />
        {draft.amountKind !== 'free' && (
          <TextField
            label={t('amount')}
            inputMode="decimal"
            autocomplete="off"
            value={draft.amount}
            error={draft.amount !== '' && problems.amount ? t('amount_wrong') : undefined}
            onInput={(amount) => set({ amount })}
          />
        )}
        <SelectField
          label={t('amount_currency')}
          value={draft.currency}
          options={currencyOptions(draft.currency)}
          onChange={(currency) => set({ currency })}
        />
      </div>
      <div class="field-pair">
        <TextField
          label={t('reference_label')}
          aside={t('reference_aside')}
          value={draft.reference}
          onInput={(reference) => set({ reference })}
        />
        <TextField
          label={t('ends_at')}
          type="datetime-local"
          value={draft.expires}
          error={problems.expires && t('check_future')}
          onInput={(expires) => set({ expires })}
        />
      </div>
      {draft.reference !== '' && (
        <CheckField
          label={t('default_reference')}
          checked={draft.referenceEditable}
          onChange={(referenceEditable) => set({ referenceEditable })}
        />
      )}
      <TextArea
        label={t('comment_above')}
        aside={t('comment_shown')}
        value={draft.intro}
        rows={2}
        onInput={(intro) => set({ intro })}
      />
    </Section>
  )
}
