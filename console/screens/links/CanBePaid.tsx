import { Section } from '../../ui/Details.tsx'
import { Segmented, TextField } from '../../ui/Field.tsx'
import type { PartProps } from './link-draft.ts'
import { t } from './links-words.ts'

/** How often it can be paid: once, or by many payers. An existing link stays what it is. */
export function CanBePaid({ draft, set, problems, isNew }: PartProps & { isNew: boolean }) {
  return (
    <Section title={t('can_be_paid')}>
      {isNew && (
        <Segmented
          label={t('can_be_paid')}
          value={draft.uses}
          options={[
            { value: 'once', label: t('once') },
            { value: 'many', label: t('many_times') },
          ]}
          onChange={(uses) =>
            set({ uses, ...(uses === 'many' && draft.who === 'customer' && { who: 'anyone' }) })
          }
        />
      )}
      <p class="muted">{t(draft.uses === 'once' ? 'once_hint' : 'many_hint')}</p>
      {draft.uses === 'many' && (
        <div class="field-pair">
          <TextField
            label={t('slug')}
            aside={t('optional')}
            hint={draft.slug === '' ? t('slug_hint') : `/go/${draft.slug}`}
            value={draft.slug}
            maxLength={63}
            spellcheck={false}
            error={problems.slug && t('slug_wrong')}
            onInput={(slug) => set({ slug: slug.trim().toLowerCase() })}
          />
          <TextField
            label={t('max_uses')}
            aside={t('optional')}
            hint={t('max_uses_hint')}
            inputMode="numeric"
            value={draft.maxUses}
            error={problems.maxUses && t('max_uses_wrong')}
            onInput={(maxUses) => set({ maxUses: maxUses.trim() })}
          />
        </div>
      )}
    </Section>
  )
}
