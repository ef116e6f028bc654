import { Section } from '../../ui/Details.tsx'
import { Segmented, TextField } from '../../ui/Field.tsx'
import type { PartProps } from './link-draft.ts'
import { t } from './links-words.ts'

/** Who pays: anyone, a customer, or a payer whose form is filled in. */
export function WhoPays({ draft, set }: Omit<PartProps, 'problems'>) {
  return (
    <Section title={t('who_pays')}>
      <Segmented
        label={t('who_pays')}
        value={draft.who}
        options={[
          { value: 'anyone', label: t('anyone') },
          // Of a link that many payers use, anyone would see the customer's saved methods.
          ...(draft.uses === 'once' || draft.who === 'customer'
            ? [{ value: 'customer' as const, label: t('a_customer') }]
            : []),
          { value: 'fill_in', label: t('fill_in') },
        ]}
        onChange={(who) => set({ who })}
      />
      {draft.who === 'customer' && (
        <TextField
          label={t('customer_id')}
          hint={t('customer_id_hint')}
          value={draft.customer}
          spellcheck={false}
          onInput={(customer) => set({ customer: customer.trim() })}
        />
      )}
      {draft.who === 'fill_in' && (
        <div class="field-pair">
          <TextField
            label={t('first_name')}
            value={draft.firstName}
            onInput={(firstName) => set({ firstName })}
          />
          <TextField
            label={t('last_name')}
            value={draft.lastName}
            onInput={(lastName) => set({ lastName })}
          />
          <TextField
            label={t('email_to')}
            type="email"
            value={draft.email}
            onInput={(email) => set({ email })}
          />
        </div>
      )}
    </Section>
  )
}
