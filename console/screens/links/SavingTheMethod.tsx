import { Section } from '../../ui/Details.tsx'
import { Segmented } from '../../ui/Field.tsx'
import { Banner } from '../../ui/States.tsx'
import type { PartProps } from './link-draft.ts'
import { t } from './links-words.ts'

/** Whether the payment method is saved, and how the payer agrees. */
export function SavingTheMethod({ draft, set }: Omit<PartProps, 'problems'>) {
  return (
    <Section title={t('saving')}>
      <Segmented
        label={t('saving')}
        value={draft.saving}
        options={[
          { value: 'payer', label: t('saving_payer') },
          { value: 'ticked', label: t('saving_ticked') },
          { value: 'always', label: t('saving_always') },
          { value: 'never', label: t('saving_never') },
        ]}
        onChange={(saving) => set({ saving })}
      />
      {draft.saving === 'ticked' ? (
        <Banner tone="wait">{t('saving_ticked_hint')}</Banner>
      ) : (
        <p class="muted">{t(`saving_${draft.saving}_hint`)}</p>
      )}
    </Section>
  )
}
