import { FIRST_LISTS } from '../../../shared/list-query.ts'
import type { Account } from '../../../shared/schemas/account.ts'
import type { PaymentMethod } from '../../../shared/schemas/payment-method.ts'
import type { Payment } from '../../../shared/schemas/payment.ts'
import { useInstance } from '../../address.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { criteriaValue } from '../../list/list-address.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { formatMoney, Money } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { customerName } from '../customers/customer-name.tsx'
import { PaymentKinds } from './PaymentKinds.tsx'
import { paymentStatus } from './payment-status.ts'
import { t } from './payments-words.ts'
import './payments.css'

type ListedPayment = Omit<Payment, 'account' | 'payment_method'> & {
  account: Account | null
  payment_method: PaymentMethod | null
}

/** All payments and authorizations. */
export function Payments() {
  const { currency } = useInstance()
  const list: ListDefinition<ListedPayment> = {
    ...FIRST_LISTS.payments,
    title: t('payments'),
    id: ({ id }) => id,
    href: ({ id }) => `/payments/${id}`,
    actions: <PaymentKinds current="payments" />,
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'succeeded', label: t('succeeded'), criteria: 'status=SUCCESS' },
      { id: 'checking', label: t('checking'), criteria: 'status=UNRESOLVED' },
      { id: 'pending', label: t('pending'), criteria: 'status=PENDING' },
      { id: 'declined', label: t('declined'), criteria: 'status=DECLINE' },
      { id: 'to_capture', label: t('to_capture'), criteria: 'type=AUTH,status=SUCCESS' },
      { id: 'scheduled', label: t('scheduled'), criteria: 'status=SCHEDULED' },
    ],
    columns: [
      {
        id: 'amount',
        label: t('amount'),
        small: 'title',
        cell: (payment) => (
          <span class="number">{formatMoney(payment.amount, payment.currency)}</span>
        ),
      },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (payment) => {
          const { tone, label } = paymentStatus(payment)
          return <Pill tone={tone}>{label}</Pill>
        },
      },
      {
        id: 'reference',
        label: t('reference'),
        small: 'below',
        cell: ({ description, alt_key, reference }) => (
          <>
            {description ?? alt_key}
            <span class={(description ?? alt_key) ? 'reference' : 'mono'}>{reference}</span>
          </>
        ),
      },
      { id: 'customer', label: t('customer'), cell: ({ account }) => customerName(account) },
      {
        id: 'when',
        label: t('when'),
        end: true,
        small: 'end',
        field: 'created',
        cell: ({ created }) => <Ago at={created} />,
      },
      {
        id: 'method',
        label: t('method'),
        standard: false,
        cell: ({ payment_method: method }) => method?.label ?? '–',
      },
      {
        id: 'captured',
        label: t('captured'),
        end: true,
        standard: false,
        cell: (payment) => <Money amount={payment.captured_amount} currency={payment.currency} />,
      },
      {
        id: 'refunded',
        label: t('refunded'),
        end: true,
        standard: false,
        cell: (payment) => <Money amount={payment.refunded_amount} currency={payment.currency} />,
      },
      { id: 'source', label: t('source'), standard: false, cell: ({ source }) => source },
      {
        id: 'channel',
        label: t('channel'),
        standard: false,
        cell: ({ channel }) => channel ?? '–',
      },
    ],
    filters: [
      { field: 'created', label: t('created'), type: 'date' },
      {
        field: 'status',
        label: t('status'),
        type: 'enum',
        options: [
          { value: 'SUCCESS', label: t('succeeded') },
          { value: 'UNRESOLVED', label: t('checking') },
          { value: 'PENDING', label: t('pending') },
          { value: 'DECLINE', label: t('declined') },
          { value: 'VOIDED', label: t('voided') },
          { value: 'SCHEDULED', label: t('scheduled') },
        ],
      },
      { field: 'amount', label: t('amount'), type: 'amount' },
      { field: 'currency', label: t('currency'), type: 'text' },
      { field: 'alt_key', label: t('your_key'), type: 'text' },
      { field: 'reference', label: t('reference'), type: 'text' },
      { field: 'channel', label: t('channel'), type: 'text' },
    ],
    search: (text) =>
      /^[A-Z0-9]{4}-[A-Z0-9-]+$/i.test(text)
        ? `reference=${criteriaValue(text.toUpperCase())}`
        : `alt_key~=${criteriaValue(text)}`,
    empty: {
      text: t('empty'),
      request: `curl -u "$SECRET_KEY:" …/payments?criteria=currency=${currency}`,
    },
  }
  return <ListScreen list={list} />
}
