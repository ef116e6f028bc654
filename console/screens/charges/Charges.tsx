import type { Account } from '../../../shared/schemas/account.ts'
import type { Charge } from '../../../shared/schemas/charge.ts'
import type { Contract } from '../../../shared/schemas/contract.ts'
import { useInstance } from '../../address.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { criteriaValue } from '../../list/list-address.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { customerName } from '../customers/customer-name.tsx'
import { t } from './charges-words.ts'

interface StatusWord {
  tone: Tone
  label: string
}

export function chargeStatus({ status, due }: Pick<Charge, 'status' | 'due'>): StatusWord {
  if (status === 'PAID') return { tone: 'ok', label: t('paid') }
  if (status === 'WRITTENOFF') return { tone: 'calm', label: t('written_off') }
  if (status === 'CANCELLED') return { tone: 'calm', label: t('cancelled') }
  const overdue = due !== null && Date.parse(due) < Date.now()
  return overdue ? { tone: 'wait', label: t('overdue') } : { tone: 'news', label: t('due') }
}

export function contractStatus({ status }: Pick<Contract, 'status'>): StatusWord {
  if (status === 'ACTIVE') return { tone: 'ok', label: t('active') }
  if (status === 'PAUSED') return { tone: 'wait', label: t('paused') }
  return { tone: 'calm', label: status === 'ENDED' ? t('ended') : t('cancelled') }
}

/** Returns the rhythm of a contract in words. */
export function rhythm({ recurring }: Pick<Contract, 'recurring'>): string {
  return t(`every_${recurring.frequency}`, { count: recurring.interval })
}

type ListedCharge = Omit<Charge, 'account'> & { account: Account | null }

/** All charges: what customers owe. */
export function Charges() {
  const { screen } = useInstance()
  const now = new Date().toISOString()
  const list: ListDefinition<ListedCharge> = {
    name: 'charges',
    summed: true,
    title: t('charges'),
    id: ({ id }) => id,
    href: ({ id }) => `/charges/${id}`,
    expand: 'account',
    actions: <ButtonLink href={screen('/contracts')}>{t('contracts')}</ButtonLink>,
    tabs: [
      { id: 'due', label: t('due'), criteria: 'status=ACTIVE' },
      { id: 'overdue', label: t('overdue'), criteria: `status=ACTIVE,due<${now.slice(0, 10)}` },
      { id: 'written_off', label: t('written_off'), criteria: 'status=WRITTENOFF' },
      { id: 'paid', label: t('paid'), criteria: 'status=PAID' },
      { id: 'all', label: t('all'), criteria: '' },
    ],
    columns: [
      {
        id: 'customer',
        label: t('customer'),
        small: 'title',
        cell: ({ account, description, alt_key }) => (
          <>
            {customerName(account)}
            <span class="reference">{description ?? alt_key ?? ''}</span>
          </>
        ),
      },
      {
        id: 'outstanding',
        label: t('outstanding'),
        end: true,
        small: 'end',
        cell: ({ outstanding_amount, currency }) => formatMoney(outstanding_amount, currency),
      },
      {
        id: 'status',
        label: t('status'),
        small: 'below',
        cell: (charge) => (
          <Pill tone={chargeStatus(charge).tone}>{chargeStatus(charge).label}</Pill>
        ),
      },
      {
        id: 'due',
        label: t('due'),
        end: true,
        field: 'due',
        small: 'end',
        cell: ({ due }) => <Ago at={due} />,
      },
      {
        id: 'next_try',
        label: t('next_try'),
        end: true,
        cell: ({ next_attempt }) => <Ago at={next_attempt} />,
      },
      {
        id: 'amount',
        label: t('amount'),
        end: true,
        standard: false,
        cell: ({ amount, currency }) => formatMoney(amount, currency),
      },
    ],
    filters: [
      { field: 'due', label: t('due'), type: 'date' },
      { field: 'currency', label: t('amount'), type: 'text' },
      { field: 'alt_key', label: t('your_key'), type: 'text' },
    ],
    search: (text) => `alt_key~=${criteriaValue(text)}`,
    empty: { text: t('empty') },
  }
  return <ListScreen list={list} />
}

type ListedContract = Omit<Contract, 'account'> & { account: Account | null }

/** All contracts: what customers agreed to pay again and again. */
export function Contracts() {
  const { screen } = useInstance()
  const list: ListDefinition<ListedContract> = {
    name: 'contracts',
    title: t('contracts'),
    id: ({ id }) => id,
    href: ({ id }) => `/contracts/${id}`,
    expand: 'account',
    actions: <ButtonLink href={screen('/charges')}>{t('charges')}</ButtonLink>,
    tabs: [
      { id: 'active', label: t('active'), criteria: 'status=ACTIVE' },
      { id: 'paused', label: t('paused'), criteria: 'status=PAUSED' },
      { id: 'ended', label: t('ended'), criteria: 'status=ENDED;CANCELLED' },
      { id: 'all', label: t('all'), criteria: '' },
    ],
    columns: [
      {
        id: 'customer',
        label: t('customer'),
        small: 'title',
        cell: ({ account, description, alt_key }) => (
          <>
            {customerName(account)}
            <span class="reference">{description ?? alt_key ?? ''}</span>
          </>
        ),
      },
      {
        id: 'amount',
        label: t('amount'),
        end: true,
        small: 'end',
        cell: ({ amount, currency }) => formatMoney(amount, currency),
      },
      { id: 'every', label: t('every'), small: 'below', cell: rhythm },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (contract) => (
          <Pill tone={contractStatus(contract).tone}>{contractStatus(contract).label}</Pill>
        ),
      },
      {
        id: 'next_due',
        label: t('next_due'),
        end: true,
        cell: ({ next_due }) => <Ago at={next_due} />,
      },
      {
        id: 'paid',
        label: t('charges_paid'),
        end: true,
        cell: ({ charges_paid, charges_total }) => `${charges_paid} / ${charges_total}`,
      },
    ],
    filters: [
      { field: 'created', label: t('created'), type: 'date' },
      { field: 'alt_key', label: t('your_key'), type: 'text' },
    ],
    search: (text) => `alt_key~=${criteriaValue(text)}`,
    empty: { text: t('empty_contracts') },
  }
  return <ListScreen list={list} />
}
