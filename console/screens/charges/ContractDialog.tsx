import { useState } from 'preact/hooks'
import type { Contract } from '../../../shared/schemas/contract.ts'
import type { PaymentMethod } from '../../../shared/schemas/payment-method.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { listQuery } from '../../../shared/list-query.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { ActionError } from '../../ui/States.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './charges-words.ts'

/** Changes from which saved method the charges of a contract are collected, and what they are called. */
export function ContractDialog({
  contract,
  account,
  method,
  onClose,
}: {
  contract: Pick<Contract, 'id' | 'description' | 'v'>
  /** Id of the customer, if there is one. */
  account: string | undefined
  /** Id of the method that it uses now. */
  method: string | undefined
  onClose: () => void
}) {
  const { api } = useInstance()
  const [description, setDescription] = useState(contract.description ?? '')
  const [chosen, setChosen] = useState(method ?? '')
  const criteria = `account=${account ?? ''},status=ACTIVE`
  const { data, error } = useResource<{ payment_methods: PaymentMethod[] }>(
    account === undefined ? null : api(`/payment_methods?${listQuery({ criteria, limit: 50 })}`),
  )
  const methods =
    data?.payment_methods.filter(({ id, reusable }) => reusable || id === method) ?? []
  const isListed = methods.some(({ id }) => id === method)
  const text = description.trim()
  const changes = {
    ...(text !== (contract.description ?? '') && { description: text === '' ? null : text }),
    ...(chosen !== (method ?? '') && { payment_method: chosen }),
  }
  const save = useAction(async (key) => {
    const path = api(`/contracts/${contract.id}`)
    await request('PUT', path, { key, ifMatch: contract.v, body: { contract: changes } })
    invalidate((one) => one.startsWith(api('/contracts')) || one.startsWith(api('/charges')))
    toast(t('saved'))
    onClose()
  })
  return (
    <ConfirmDialog
      isForm
      kind="primary"
      title={t('change')}
      label={t('save')}
      action={save}
      disabled={Object.keys(changes).length === 0}
      onClose={onClose}
    >
      <ActionError error={error} />
      <SelectField
        label={t('method')}
        hint={t('method_hint')}
        value={chosen}
        options={[
          // What is used now stays a choice, even if it has expired.
          ...(isListed ? [] : [{ value: method ?? '', label: t('method_now') }]),
          ...methods.map(({ id, label }) => ({ value: id, label })),
        ]}
        onChange={setChosen}
      />
      <TextField
        label={t('description')}
        hint={t('description_hint')}
        value={description}
        maxLength={1000}
        onInput={setDescription}
      />
    </ConfirmDialog>
  )
}
