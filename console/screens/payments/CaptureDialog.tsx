import { useState } from 'preact/hooks'
import type { Payment } from '../../../shared/schemas/payment.ts'
import { useInstance } from '../../address.ts'
import { invalidate } from '../../api/resource.ts'
import { CheckField } from '../../ui/Field.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { AmountField, readAmount } from './AmountField.tsx'
import { MoneyDialog } from './MoneyDialog.tsx'
import { t } from './payments-words.ts'
import { useMoneyRequest } from './use-money-request.ts'

const refresh = () => invalidate((path) => /\/(payments|captures|voids)/.test(path))

/** Takes money that an authorization reserves. */
export function CaptureDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const instance = useInstance()
  const { id, currency, open_amount } = payment
  const max = open_amount ?? '0'
  const [typed, setTyped] = useState(max)
  const [final, setFinal] = useState(false)
  const request = useMoneyRequest<{ payment: Payment }>(instance.api(`/payments/${id}/capture`))
  const { amount } = readAmount(typed, max, currency)
  return (
    <MoneyDialog
      title={t('capture')}
      action={t('capture_amount', { amount: amount ? formatMoney(amount, currency) : '' })}
      valid={amount !== undefined}
      request={request}
      outcome={(result) => result.payment}
      body={() => ({ capture: { amount, final } })}
      onClose={() => {
        refresh()
        onClose()
      }}
    >
      <AmountField
        typed={typed}
        max={max}
        currency={currency}
        onInput={setTyped}
        suggestions={[
          { label: t('refund_all', { amount: formatMoney(max, currency) }), amount: max },
        ]}
      />
      <CheckField
        label={t('capture_final')}
        hint={t('capture_final_hint')}
        checked={final}
        onChange={setFinal}
      />
    </MoneyDialog>
  )
}

/** Releases what an authorization still reserves. */
export function VoidDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const instance = useInstance()
  const { id, currency, open_amount } = payment
  const request = useMoneyRequest<{ void: { status: string; gateway_message: string | null } }>(
    instance.api(`/payments/${id}/void`),
  )
  const amount = formatMoney(open_amount ?? '0', currency)
  return (
    <MoneyDialog
      title={t('void_title')}
      action={t('void_amount', { amount })}
      danger
      valid
      request={request}
      outcome={(result) => result.void}
      body={() => ({})}
      onClose={() => {
        refresh()
        onClose()
      }}
    >
      <p>{t('void_explain', { amount })}</p>
    </MoneyDialog>
  )
}
