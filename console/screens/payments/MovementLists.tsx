import type { Payment } from '../../../shared/schemas/payment.ts'
import type { Refund } from '../../../shared/schemas/refund.ts'
import type { Void } from '../../../shared/schemas/void.ts'
import type { Column, ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { PaymentKinds } from './PaymentKinds.tsx'
import { paymentStatus, refundStatus } from './payment-status.ts'
import { t } from './payments-words.ts'
import './payments.css'

interface Movement {
  id: string
  amount: string
  currency: string
  created: string
}

const amountColumn = <Row extends Movement>(): Column<Row> => ({
  id: 'amount',
  label: t('amount'),
  small: 'title',
  cell: ({ amount, currency }) => <span class="number">{formatMoney(amount, currency)}</span>,
})

const statusColumn = <Row,>(of: (row: Row) => { tone: Tone; label: string }): Column<Row> => ({
  id: 'status',
  label: t('status'),
  small: 'end',
  cell: (row) => {
    const { tone, label } = of(row)
    return <Pill tone={tone}>{label}</Pill>
  },
})

const whenColumn = <Row extends Movement>(): Column<Row> => ({
  id: 'when',
  label: t('when'),
  end: true,
  field: 'created',
  small: 'end',
  cell: ({ created }) => <Ago at={created} />,
})

const idOf = (record: unknown): string =>
  typeof record === 'string' ? record : ((record as { id?: string } | null)?.id ?? '')

/** All refunds. */
export function Refunds() {
  const list: ListDefinition<Refund> = {
    name: 'refunds',
    summed: true,
    title: t('refunds'),
    id: ({ id }) => id,
    href: ({ payment }) => `/payments/${idOf(payment)}`,
    actions: <PaymentKinds current="refunds" />,
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'pending', label: t('pending'), criteria: 'status=PENDING' },
      { id: 'checking', label: t('checking'), criteria: 'status=UNRESOLVED' },
      { id: 'declined', label: t('declined'), criteria: 'status=DECLINED' },
    ],
    columns: [
      amountColumn(),
      statusColumn(({ status }) => refundStatus(status)),
      {
        id: 'reason',
        label: t('reason'),
        small: 'below',
        cell: ({ reason, reference }) => (
          <>
            {reason ?? ''}
            <span class="reference">{reference}</span>
          </>
        ),
      },
      whenColumn(),
    ],
    filters: [
      { field: 'created', label: t('created'), type: 'date' },
      { field: 'currency', label: t('currency'), type: 'text' },
      { field: 'reason', label: t('reason'), type: 'text' },
    ],
    empty: { text: t('no_refunds') },
  }
  return <ListScreen list={list} />
}

/** All captures of authorizations. */
export function Captures() {
  const list: ListDefinition<Payment> = {
    name: 'captures',
    title: t('captures'),
    id: ({ id }) => id,
    href: ({ authorisation }) => `/payments/${authorisation ?? ''}`,
    actions: <PaymentKinds current="captures" />,
    tabs: [{ id: 'all', label: t('all'), criteria: '' }],
    columns: [
      amountColumn(),
      statusColumn(paymentStatus),
      {
        id: 'reference',
        label: t('reference'),
        small: 'below',
        cell: ({ alt_key, reference }) => (
          <>
            {alt_key ?? ''}
            <span class="reference">{reference}</span>
          </>
        ),
      },
      whenColumn(),
    ],
    filters: [{ field: 'created', label: t('created'), type: 'date' }],
    empty: { text: t('no_captures') },
  }
  return <ListScreen list={list} />
}

/** All voids of authorizations. */
export function Voids() {
  const list: ListDefinition<Void> = {
    name: 'voids',
    title: t('voids'),
    id: ({ id }) => id,
    href: ({ payment }) => `/payments/${idOf(payment)}`,
    actions: <PaymentKinds current="voids" />,
    tabs: [{ id: 'all', label: t('all'), criteria: '' }],
    columns: [amountColumn(), statusColumn(({ status }) => refundStatus(status)), whenColumn()],
    filters: [{ field: 'created', label: t('created'), type: 'date' }],
    empty: { text: t('no_captures') },
  }
  return <ListScreen list={list} />
}
