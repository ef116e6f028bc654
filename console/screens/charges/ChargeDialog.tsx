import { useState } from 'preact/hooks'
import type { Charge } from '../../../shared/schemas/charge.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { digitsOf, minorOf, readTyped } from '../../ui/amounts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { localTime, utcTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './charges-words.ts'

/** Changes what is owed and when. The server collects a charge with a due date from a saved method. */
export function ChargeDialog({ charge, onClose }: { charge: ChargeTerms; onClose: () => void }) {
  const { api } = useInstance()
  const { currency } = charge
  const [typed, setTyped] = useState(charge.amount)
  const [due, setDue] = useState(charge.due === null ? '' : localTime(charge.due))
  const [hasDue, setHasDue] = useState(charge.due !== null)
  const amount = readTyped(typed, currency, digitsOf(charge.amount))
  const tooLow = amount !== undefined && minorOf(amount) < minorOf(charge.paid_amount)
  const changedDue = hasDue ? (due === '' ? undefined : utcTime(due)) : null
  const isSameDue =
    charge.due === null ? changedDue === null : hasDue && due === localTime(charge.due)
  const changes = {
    ...(amount !== undefined && amount !== charge.amount && { amount }),
    ...(changedDue !== undefined && !isSameDue && { due: changedDue }),
  }
  const save = useAction(async (key) => {
    const path = api(`/charges/${charge.id}`)
    await request('PUT', path, { key, ifMatch: charge.v, body: { charge: changes } })
    invalidate((one) => one.startsWith(api('/charges')))
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
      disabled={amount === undefined || tooLow || Object.keys(changes).length === 0}
      onClose={onClose}
    >
      <TextField
        label={t('amount')}
        inputMode="decimal"
        value={typed}
        suffix={currency}
        error={
          amount === undefined
            ? t('amount_unread')
            : tooLow
              ? t('amount_low', { amount: formatMoney(charge.paid_amount, currency) })
              : undefined
        }
        onInput={setTyped}
      />
      <CheckField
        label={t('has_due')}
        hint={t('has_due_hint')}
        checked={hasDue}
        onChange={setHasDue}
      />
      {hasDue && (
        <TextField
          type="datetime-local"
          label={t('due')}
          value={due}
          hint={t('due_hint')}
          onInput={setDue}
        />
      )}
    </ConfirmDialog>
  )
}

type ChargeTerms = Pick<Charge, 'id' | 'amount' | 'paid_amount' | 'currency' | 'due' | 'v'>
