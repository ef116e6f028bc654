import { useState } from 'preact/hooks'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../../ui/Field.tsx'
import { FieldGroup } from '../../ui/FieldGroup.tsx'
import { countryName } from '../../ui/country-name.ts'
import { toast } from '../../ui/toast.ts'
import { t } from './entities-words.ts'
import {
  draftBody,
  draftOf,
  type EntityDraft,
  type EntityGroup,
  GROUPS,
  isDraftReady,
  TAX_TYPES,
} from './entity-draft.ts'

/** The form for a new legal entity, or for a present one. */
export function EntityDialog({
  entity,
  onClose,
}: {
  entity?: LegalEntityRecord
  onClose: () => void
}) {
  const { api } = useInstance()
  const [draft, setDraft] = useState<EntityDraft>(draftOf(entity))
  const set = (members: Partial<EntityDraft>) => setDraft({ ...draft, ...members })
  const save = useAction(async (key) => {
    const body = { legal_entity: draftBody(draft, entity) }
    await (entity
      ? request('PUT', api(`/legal_entities/${entity.id}`), { ifMatch: entity.v, body })
      : request('POST', api('/legal_entities'), { key, body }))
    invalidate((path) => path.startsWith(api('/legal_entities')))
    toast(t('saved'))
    onClose()
  })
  const texts = (group: EntityGroup) =>
    GROUPS[group].map(([member, label]) => (
      <TextField
        key={member}
        label={t(label)}
        value={draft[member]}
        onInput={(value) => set({ [member]: value })}
      />
    ))
  return (
    <ConfirmDialog
      title={entity ? t('edit_title') : t('add')}
      label={t('save')}
      kind="primary"
      wide
      keep
      isForm
      disabled={!isDraftReady(draft)}
      action={save}
      onClose={onClose}
    >
      <FieldGroup title={t('group_law')}>
        <TextField
          label={t('legal_name')}
          hint={t('legal_name_hint')}
          autofocus
          maxLength={255}
          value={draft.legal_name}
          onInput={(legal_name) => set({ legal_name })}
        />
        <SelectField
          label={t('type')}
          value={draft.type}
          options={[
            { value: 'ORGANISATION', label: t('organisation') },
            { value: 'SOLE_TRADER', label: t('sole_trader') },
            { value: 'INDIVIDUAL', label: t('individual') },
          ]}
          onChange={(type) => set({ type: type as EntityDraft['type'] })}
        />
        <SelectField
          label={t('tax_type')}
          value={draft.tax_type}
          options={TAX_TYPES.map((value) => ({
            value,
            label: value === 'OTHER' ? t('tax_else') : value,
          }))}
          onChange={(type) => set({ tax_type: type as EntityDraft['tax_type'] })}
        />
        <TextField
          label={t('tax_value')}
          maxLength={40}
          value={draft.tax_value}
          onInput={(tax_value) => set({ tax_value })}
        />
      </FieldGroup>
      <FieldGroup title={t('group_place')}>
        <TextField
          label={t('country')}
          hint={countryName(draft.country) ?? t('country_hint')}
          maxLength={2}
          value={draft.country}
          onInput={(typed) => set({ country: typed.toUpperCase() })}
        />
        {texts('place')}
      </FieldGroup>
      <FieldGroup title={t('group_register')}>{texts('register')}</FieldGroup>
      <FieldGroup title={t('group_contact')}>{texts('contact')}</FieldGroup>
      <FieldGroup title={t('group_own')}>
        {texts('own')}
        <TextField
          label={t('currencies')}
          hint={t('currencies_hint')}
          value={draft.currencies}
          onInput={(typed) => set({ currencies: typed.toUpperCase() })}
        />
      </FieldGroup>
      <TextArea
        label={t('receipt_footer')}
        value={draft.receipt_footer}
        maxLength={2000}
        onInput={(receipt_footer) => set({ receipt_footer })}
      />
      {!entity?.default && (
        <CheckField
          label={t('make_default')}
          hint={t('make_default_hint')}
          checked={draft.default}
          onChange={(on) => set({ default: on })}
        />
      )}
    </ConfirmDialog>
  )
}
