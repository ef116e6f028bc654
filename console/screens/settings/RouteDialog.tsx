import { useState } from 'preact/hooks'
import type { LegalEntityRouteRecord } from '../../../shared/schemas/legal-entity-route.ts'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CheckField, SelectField, TextField } from '../../ui/Field.tsx'
import { FieldGroup } from '../../ui/FieldGroup.tsx'
import { toast } from '../../ui/toast.ts'
import { currencyOptions } from '../links/currencies.ts'
import { LISTS, routeBody, routeDraft, type RouteDraft, SOURCES } from './route-draft.ts'
import { RouteProcessor } from './RouteProcessor.tsx'
import { t } from './routes-words.ts'

/** The form for a new route, which becomes the last one, or for a present one. */
export function RouteDialog({
  route,
  entities,
  onClose,
}: {
  route?: LegalEntityRouteRecord
  /** Those that are active. */
  entities: readonly LegalEntityRecord[]
  onClose: () => void
}) {
  const { api, currency } = useInstance()
  const [draft, setDraft] = useState(() =>
    routeDraft(route, { entity: entities[0]?.id ?? '', currency }),
  )
  const set = (members: Partial<RouteDraft>) => setDraft({ ...draft, ...members })
  const save = useAction(async (key) => {
    const body = { legal_entity_route: routeBody(draft) }
    await (route
      ? request('PUT', api(`/legal_entity_routes/${route.id}`), { ifMatch: route.v, body })
      : request('POST', api('/legal_entity_routes'), { key, body }))
    invalidate((path) => path.startsWith(api('/legal_entity_routes')))
    toast(t('saved'))
    onClose()
  })
  return (
    <ConfirmDialog
      title={route ? t('edit', { position: route.position }) : t('add')}
      label={t('save')}
      kind="primary"
      wide
      keep
      isForm
      action={save}
      onClose={onClose}
    >
      <SelectField
        label={t('entity')}
        value={draft.legal_entity}
        options={entities.map(({ id, name, legal_name: legal }) => ({
          value: id,
          label: name ?? legal,
        }))}
        onChange={(id) => set({ legal_entity: id })}
      />
      <FieldGroup title={t('when')}>
        {LISTS.map((name) => (
          <TextField
            key={name}
            label={t(`when_${name}`)}
            hint={t(`when_${name}_hint`)}
            value={draft[name]}
            onInput={(value) => set({ [name]: value })}
          />
        ))}
      </FieldGroup>
      <FieldGroup title={t('amount')}>
        <TextField
          label={t('from')}
          inputMode="decimal"
          value={draft.from}
          onInput={(from) => set({ from })}
        />
        <TextField
          label={t('to')}
          inputMode="decimal"
          value={draft.to}
          onInput={(to) => set({ to })}
        />
        <SelectField
          label={t('amount_currency')}
          value={draft.amount_currency}
          options={currencyOptions(draft.amount_currency)}
          onChange={(code) => set({ amount_currency: code })}
        />
      </FieldGroup>
      <FieldGroup title={t('source')}>
        {SOURCES.map((source) => (
          <CheckField
            key={source}
            label={t(`source_${source}`)}
            checked={draft.source.includes(source)}
            onChange={(on) =>
              set({
                source: SOURCES.filter((one) => (one === source ? on : draft.source.includes(one))),
              })
            }
          />
        ))}
      </FieldGroup>
      <RouteProcessor value={draft.processor} onChange={(processor) => set({ processor })} />
      <TextField
        label={t('note')}
        maxLength={1000}
        value={draft.description}
        onInput={(description) => set({ description })}
      />
      <CheckField
        label={t('enabled')}
        checked={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
    </ConfirmDialog>
  )
}
