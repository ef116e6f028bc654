import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { t } from './look-words.ts'
import { useChangeBrandings } from './use-change-brandings.ts'

/** Returns a key made from a name: `Corner Shop Kids` is `corner-shop-kids`. */
const keyOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 63)

/** The form for a new branding, which begins with the look of the shop. */
export function AddBranding({
  instance: { brandings },
  onClose,
}: {
  instance: InstanceRecord
  onClose: () => void
}) {
  const { screen } = useInstance()
  const { route } = useLocation()
  const changeBrandings = useChangeBrandings()
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const key = typedKey ?? keyOf(name)
  const isTaken = brandings.some((branding) => branding.key === key)
  const isKey = /^[a-z0-9][a-z0-9_-]{0,62}$/.test(key)
  const add = useAction(async () => {
    const added = { key, name: name.trim(), channels: [], logo: null, theme: null }
    await changeBrandings((stored) => [...stored, added])
    onClose()
    route(screen(`/look/${key}`))
  })
  return (
    <ConfirmDialog
      title={t('add')}
      label={t('add')}
      kind="primary"
      isForm
      disabled={name.trim() === '' || isTaken || !isKey}
      action={add}
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
      <TextField
        label={t('key')}
        hint={t('key_hint')}
        error={isTaken ? t('key_taken') : key !== '' && !isKey ? t('key_wrong') : undefined}
        spellcheck={false}
        value={key}
        onInput={setTypedKey}
      />
    </ConfirmDialog>
  )
}
