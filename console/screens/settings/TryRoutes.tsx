import { useState } from 'preact/hooks'
import type { LegalEntityRouteRecord } from '../../../shared/schemas/legal-entity-route.ts'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { FieldGroup } from '../../ui/FieldGroup.tsx'
import { Banner } from '../../ui/States.tsx'
import { currencyOptions } from '../links/currencies.ts'
import { SOURCES } from './route-draft.ts'
import { t } from './routes-words.ts'

interface Found {
  legal_entity: LegalEntityRecord | null
  legal_entity_route: LegalEntityRouteRecord | null
}

/** Says whom a payment would belong to. No payment is made. */
export function TryRoutes({ onClose }: { onClose: () => void }) {
  const { api, currency: usual } = useInstance()
  const [facts, setFacts] = useState({
    currency: usual,
    amount: '',
    country: '',
    channel: '',
    branding: '',
    account_tag: '',
    source: 'ECOMMERCE',
  })
  const [found, setFound] = useState<Found>()
  const set = (members: Partial<typeof facts>) => {
    setFacts({ ...facts, ...members })
    setFound(undefined)
  }
  const attempt = useAction(async () => {
    const { account_tag: tag, ...texts } = facts
    const given = Object.entries(texts).filter(([, value]) => value.trim() !== '')
    setFound(
      await request<Found>('POST', api('/legal_entity_routes/resolve'), {
        body: {
          payment: {
            ...Object.fromEntries(given.map(([name, value]) => [name, value.trim()])),
            ...(tag.trim() !== '' && { account_tag: [tag.trim()] }),
          },
        },
      }),
    )
  })
  return (
    <ConfirmDialog
      title={t('try_title')}
      label={t('try_now')}
      kind="primary"
      wide
      isForm
      action={attempt}
      onClose={onClose}
    >
      <p class="muted">{t('try_explain')}</p>
      <FieldGroup title={t('payment')}>
        <SelectField
          label={t('try_currency')}
          value={facts.currency}
          options={currencyOptions(facts.currency)}
          onChange={(currency) => set({ currency })}
        />
        <TextField
          label={t('amount')}
          inputMode="decimal"
          value={facts.amount}
          onInput={(amount) => set({ amount })}
        />
        <TextField
          label={t('try_country')}
          maxLength={2}
          value={facts.country}
          onInput={(typed) => set({ country: typed.toUpperCase() })}
        />
        <TextField
          label={t('try_channel')}
          value={facts.channel}
          onInput={(channel) => set({ channel })}
        />
        <TextField
          label={t('try_branding')}
          value={facts.branding}
          onInput={(branding) => set({ branding })}
        />
        <TextField
          label={t('try_tag')}
          value={facts.account_tag}
          onInput={(tag) => set({ account_tag: tag })}
        />
        <SelectField
          label={t('source')}
          value={facts.source}
          options={SOURCES.map((value) => ({ value, label: t(`source_${value}`) }))}
          onChange={(source) => set({ source })}
        />
      </FieldGroup>
      <div role="status">
        {found?.legal_entity && (
          <Banner tone="ok">
            <b>{found.legal_entity.name ?? found.legal_entity.legal_name}</b>{' '}
            {found.legal_entity_route
              ? t('by_route', { position: found.legal_entity_route.position })
              : t('by_default')}
          </Banner>
        )}
      </div>
    </ConfirmDialog>
  )
}
