import type { Account } from '../../../shared/schemas/account.ts'
import type { Contract } from '../../../shared/schemas/contract.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { listQuery } from '../../../shared/list-query.ts'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { customerText } from '../customers/customer-name.tsx'
import { t } from './deep-links-words.ts'
import type { TaskDraft } from './task-draft.ts'

/** Whose task it is, and of which contract. */
export function TaskTargets({
  draft,
  set,
}: {
  draft: TaskDraft
  set: (members: Partial<TaskDraft>) => void
}) {
  const { api } = useInstance()
  const isId = /^acc_\w+$/.test(draft.account)
  const account = useResource<{ account: Account }>(
    isId ? api(`/accounts/${encodeURIComponent(draft.account)}`) : null,
  )
  const contracts = useResource<{ contracts: Contract[] }>(
    isId && draft.action !== 'PAY_CHARGES'
      ? api(`/contracts?${listQuery({ criteria: `account=${draft.account}`, limit: 50 })}`)
      : null,
  )
  const running = contracts.data?.contracts.filter(
    ({ status }) => status === 'ACTIVE' || status === 'PAUSED',
  )
  const isUnknown = isId && account.error?.status === 404
  return (
    <>
      <TextField
        label={t('customer')}
        hint={account.data ? customerText(account.data.account) : t('customer_hint')}
        error={isUnknown ? t('customer_unknown') : undefined}
        value={draft.account}
        spellcheck={false}
        onInput={(typed) => set({ account: typed.trim(), contract: '' })}
      />
      {draft.action !== 'PAY_CHARGES' && running && (
        <SelectField
          label={t('contract')}
          hint={running.length === 0 ? t('no_contract') : undefined}
          value={draft.contract}
          options={[
            { value: '', label: '–' },
            ...running.map(({ id, amount, currency, description, alt_key: key }) => ({
              value: id,
              label: `${formatMoney(amount, currency)} ${description ?? key ?? id}`,
            })),
          ]}
          onChange={(contract) => set({ contract })}
        />
      )}
    </>
  )
}
