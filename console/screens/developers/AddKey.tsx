import { useState } from 'preact/hooks'
import { AREAS, EVERY_PERMISSION } from '../../../shared/rules/permissions.ts'
import type { SecretKey } from '../../../shared/schemas/secret-key.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { usePermissions } from '../../shell/permissions.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { RadioCards } from '../../ui/Radio.tsx'
import { AddressesField, addressesOf } from './AddressesField.tsx'
import { KeySecretDialog } from './KeySecretDialog.tsx'
import { t } from './keys-words.ts'
import './developers.css'
import { accessesOf, NO_SCOPES, scopesOf, type ScopeAccess } from './scope-choice.ts'

type Expiry = 'never' | 'days_30' | 'days_90' | 'days_365' | 'custom_date'
const EXPIRIES: readonly Expiry[] = ['never', 'days_30', 'days_90', 'days_365', 'custom_date']
const DAY_MS = 86_400_000

/** Returns an ISO time; null for never, undefined for a day that is no day or has passed. */
function expiryOf(expiry: Expiry, day: string): string | null | undefined {
  if (expiry === 'never') return null
  const days = Number(expiry.slice('days_'.length))
  const at = expiry === 'custom_date' ? Date.parse(`${day}T23:59:59`) : Date.now() + days * DAY_MS
  return at > Date.now() ? new Date(at).toISOString() : undefined
}

/** The form for a new key, and then its secret. */
export function AddKey({ onClose }: { onClose: () => void }) {
  const { api } = useInstance()
  const permitted = usePermissions()
  const canGiveAll = EVERY_PERMISSION.every((permission) => permitted.has(permission))
  const [name, setName] = useState('')
  const [access, setAccess] = useState<'everything' | 'restricted'>('restricted')
  const [choice, setChoice] = useState(NO_SCOPES)
  const [expiry, setExpiry] = useState<Expiry>('never')
  const [day, setDay] = useState('')
  const [addresses, setAddresses] = useState('')
  const [created, setCreated] = useState<SecretKey>()
  const scopes = access === 'everything' ? null : scopesOf(choice)
  const expires = expiryOf(expiry, day)
  const create = useAction(async (key) => {
    const answer = await request<{ secret_key: SecretKey }>('POST', api('/secret_keys'), {
      key,
      body: {
        secret_key: {
          name: name.trim(),
          scopes,
          expires,
          allowed_addresses: addressesOf(addresses),
        },
      },
    })
    invalidate((path) => path.startsWith(api('/secret_keys')))
    setCreated(answer.secret_key)
  })
  if (created) return <KeySecretDialog made={created} onClose={onClose} />
  return (
    <ConfirmDialog
      title={t('add_key')}
      label={t('create')}
      kind="primary"
      disabled={name.trim() === '' || scopes?.length === 0 || expires === undefined}
      action={create}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        hint={t('name_hint')}
        autofocus
        maxLength={255}
        value={name}
        onInput={setName}
      />
      {canGiveAll && (
        <RadioCards
          label={t('access')}
          options={[
            { value: 'restricted', label: t('restricted'), hint: t('restricted_hint') },
            { value: 'everything', label: t('everything'), hint: t('everything_hint') },
          ]}
          value={access}
          onChange={setAccess}
        />
      )}
      {access === 'restricted' && (
        <fieldset class="scopes">
          <legend class="visually-hidden">{t('access')}</legend>
          {AREAS.map((area) => (
            <SelectField
              key={area}
              label={t(`area_${area}`)}
              value={choice[area]}
              options={accessesOf(permitted, area).map((value) => ({
                value,
                label: t(`access_${value}`),
              }))}
              onChange={(value) => setChoice({ ...choice, [area]: value as ScopeAccess })}
            />
          ))}
        </fieldset>
      )}
      {scopes?.length === 0 && <p class="muted">{t('nothing_chosen')}</p>}
      <SelectField
        label={t('expires')}
        value={expiry}
        options={EXPIRIES.map((value) => ({ value, label: t(value) }))}
        onChange={(value) => setExpiry(value as Expiry)}
      />
      {expiry === 'custom_date' && (
        <TextField
          label={t('expiry_day')}
          type="date"
          value={day}
          error={day !== '' && expires === undefined ? t('expiry_wrong') : undefined}
          onInput={setDay}
        />
      )}
      <AddressesField value={addresses} onInput={setAddresses} />
    </ConfirmDialog>
  )
}
