import { useState } from 'preact/hooks'
import type { Enrolled, Factors, Passkey } from '../../../shared/schemas/user-factors.ts'
import { type Action, useAction } from '../../api/action.ts'
import { createPasskey } from '../../api/passkeys.ts'
import { request, type RequestError } from '../../api/request.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Banner, explainError } from '../../ui/States.tsx'
import { t } from './factors-words.ts'

const PATH = '/console/factors/passkeys'

/** Names a new passkey and asks the browser to make it. */
export function AddPasskey({
  isFirst,
  onClose,
  onDone,
}: {
  /** The user has no second factor yet. */
  isFirst: boolean
  onClose: () => void
  onDone: (enrolled: Enrolled) => void
}) {
  const [name, setName] = useState('')
  const add = useAction(async (key) => {
    const { options } = await request<{ options: object }>('POST', `${PATH}/options`)
    const response = await createPasskey(options)
    const body = { passkey: { name: name.trim(), response } }
    onDone(await request<Enrolled>('POST', PATH, { key, body }))
  })
  return (
    <NameDialog
      title={t('passkey_new_title')}
      label={t('add_passkey')}
      name={name}
      onInput={setName}
      action={add}
      note={isFirst ? t('basic_ends') : undefined}
      onClose={onClose}
    />
  )
}

export function RenamePasskey({
  passkey: { id, name: before },
  onClose,
  onDone,
}: {
  passkey: Passkey
  onClose: () => void
  onDone: (factors: Factors) => void
}) {
  const [name, setName] = useState(before)
  const rename = useAction(async (key) => {
    const body = { passkey: { name: name.trim() } }
    onDone((await request<{ factors: Factors }>('PUT', `${PATH}/${id}`, { key, body })).factors)
  })
  return (
    <NameDialog
      title={t('passkey_rename')}
      label={t('save')}
      name={name}
      onInput={setName}
      action={rename}
      onClose={onClose}
    />
  )
}

function NameDialog({
  title,
  label,
  name,
  onInput,
  action,
  note,
  onClose,
}: {
  title: string
  label: string
  name: string
  onInput: (name: string) => void
  action: Action<[]>
  note?: string | undefined
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title={title}
      label={label}
      kind="primary"
      action={action}
      explain={explain}
      disabled={name.trim() === ''}
      onClose={onClose}
      isForm
    >
      {note && <Banner tone="news">{note}</Banner>}
      <TextField
        label={t('passkey_name')}
        hint={t('passkey_name_hint')}
        autofocus
        maxLength={100}
        value={name}
        onInput={onInput}
      />
    </ConfirmDialog>
  )
}

function explain(error: RequestError): string {
  if (error.type === 'PASSKEY_EXISTS') return t('passkey_exists')
  const isRefused = error.type === 'PASSKEY_REFUSED' || error.message.startsWith('passkey.response')
  return isRefused ? t('passkey_refused') : explainError(error)
}
