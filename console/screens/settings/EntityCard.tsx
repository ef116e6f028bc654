import type { ComponentChildren } from 'preact'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { CopyText, KeyValue } from '../../ui/Details.tsx'
import { countryName } from '../../ui/country-name.ts'
import { Pill } from '../../ui/Pill.tsx'
import { t } from './entities-words.ts'

/** One legal entity, and what payers see of it. */
export function EntityCard({
  entity,
  actions,
}: {
  entity: LegalEntityRecord
  actions: ComponentChildren
}) {
  const { address } = entity
  const register = [entity.registered_at, entity.registration_number].filter(Boolean).join(' ')
  const place = [
    address?.line1,
    address?.line2,
    [address?.line5, address?.line4].filter(Boolean).join(' '),
    countryName(entity.country) ?? entity.country,
  ]
  return (
    <article class="card" aria-labelledby={entity.id}>
      <header>
        <h2 id={entity.id}>{entity.name ?? entity.legal_name}</h2>
        {entity.default && (
          <Pill tone="news" plain>
            {t('default')}
          </Pill>
        )}
      </header>
      <figure class="payer-sees">
        <figcaption>{t('payer_sees')}</figcaption>
        <p>
          <b>{entity.legal_name}</b>
          <br />
          {place.filter(Boolean).join(', ')}
          {register && (
            <>
              <br />
              {register}
            </>
          )}
          {entity.tax_ids.map(({ type, value }) => (
            <span key={value}>
              <br />
              {type === 'OTHER' ? value : `${type} ${value}`}
            </span>
          ))}
        </p>
        {entity.receipt_footer !== null && <p class="muted">{entity.receipt_footer}</p>}
      </figure>
      <KeyValue
        rows={[
          entity.alt_key !== null && [t('alt_key'), <code key="key">{entity.alt_key}</code>],
          entity.statement_descriptor !== null && [t('statement'), entity.statement_descriptor],
          [t('currencies'), entity.currencies?.join(', ') ?? t('currencies_all')],
        ]}
      />
      <CopyText text={entity.id} />
      {actions}
    </article>
  )
}
