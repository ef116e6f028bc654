import { useState } from 'preact/hooks'
import type { Payment } from '../../../shared/schemas/payment.ts'
import type { Refund } from '../../../shared/schemas/refund.ts'
import { useInstance } from '../../address.ts'
import { invalidate } from '../../api/resource.ts'
import { half, minorOf, subtract } from '../../ui/amounts.ts'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { AmountField, readAmount } from './AmountField.tsx'
import { MoneyDialog } from './MoneyDialog.tsx'
import { t } from './payments-words.ts'
import { useMoneyRequest } from './use-money-request.ts'

/** Gives money of a payment back. `payer` names who gets it. */
export function RefundDialog({
  payment,
  payer,
  onClose,
}: {
  payment: Payment
  payer: string
  onClose: () => void
}) {
  const instance = useInstance()
  const { id, amount: paid, currency, refundable_amount, refunded_amount } = payment
  const max = refundable_amount ?? '0'
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [offline, setOffline] = useState(false)
  const request = useMoneyRequest<{ refund: Refund }>(instance.api(`/payments/${id}/refund`))
  const { amount } = readAmount(typed, max, currency)
  const shown = (value: string) => formatMoney(value, currency)
  return (
    <MoneyDialog
      title={t('refund_to', { who: payer })}
      action={t('refund_amount', { amount: amount === undefined ? '' : shown(amount) })}
      danger
      valid={amount !== undefined}
      request={request}
      outcome={({ refund }) => refund}
      body={() => ({
        refund: { amount, currency, offline, ...(reason !== '' && { reason }) },
      })}
      onClose={() => {
        invalidate((path) => path.includes('/payments') || path.includes('/refunds'))
        onClose()
      }}
    >
      <p class="muted">{t('refund_time')}</p>
      <AmountField
        typed={typed}
        max={max}
        currency={currency}
        onInput={setTyped}
        suggestions={[
          { label: t('refund_all', { amount: shown(max) }), amount: max },
          { label: t('half', { amount: shown(half(max)) }), amount: half(max) },
        ]}
      />
      <table class="sum">
        <tbody>
          <SumRow label={t('paid')} amount={shown(paid)} />
          {refunded_amount !== null && minorOf(refunded_amount) > 0 && (
            <SumRow label={t('refund_before')} amount={shown(`-${refunded_amount}`)} />
          )}
          <SumRow label={t('refund_this')} amount={amount ? shown(`-${amount}`) : '–'} tone="bad" />
          <SumRow
            label={t('refund_stays')}
            amount={shown(subtract(paid, refunded_amount ?? '0', amount ?? '0'))}
            total
          />
        </tbody>
      </table>
      <TextField
        label={t('reason')}
        aside={t('reason_aside')}
        value={reason}
        maxLength={255}
        onInput={setReason}
      />
      <CheckField
        label={t('given_back')}
        hint={t('given_back_hint')}
        checked={offline}
        onChange={setOffline}
      />
    </MoneyDialog>
  )
}

function SumRow({
  label,
  amount,
  tone,
  total = false,
}: {
  label: string
  amount: string
  tone?: 'bad'
  total?: boolean
}) {
  return (
    <tr class={`${tone ?? ''} ${total ? 'total' : ''}`}>
      <th scope="row">{label}</th>
      <td class="number">{amount}</td>
    </tr>
  )
}
