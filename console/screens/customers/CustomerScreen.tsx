import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { Account } from '../../../shared/schemas/account.ts'
import type { Charge } from '../../../shared/schemas/charge.ts'
import type { Contract } from '../../../shared/schemas/contract.ts'
import type { PaymentMethod } from '../../../shared/schemas/payment-method.ts'
import type { Payment } from '../../../shared/schemas/payment.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { printConditions } from '../../list/conditions.ts'
import { listQuery } from '../../../shared/list-query.ts'
import { isLetter } from '../../shell/shortcuts.ts'
import { t as common } from '../../shell/common-words.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Banner, ErrorPanel, errorTitle, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { paymentStatus } from '../payments/payment-status.ts'
import { Timeline } from '../timeline/Timeline.tsx'
import { CustomerDialog } from './CustomerDialog.tsx'
import { customerText } from './customer-name.tsx'
import { accountStatus } from './Customers.tsx'
import { t } from './customers-words.ts'
import { exportCustomer } from './export-customer.ts'
import '../payments/payments.css'

/** One customer, with what they paid, owe and saved. */
export function CustomerScreen() {
  const instance = useInstance()
  const { params } = useRoute()
  const read = useResource<{ account: Account }>(
    instance.api(`/accounts/${encodeURIComponent(params['id'] ?? '')}`),
  )
  const account = read.data?.account
  if (!account) {
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  }
  return <CustomerDetails account={account} />
}

function CustomerDetails({ account }: { account: Account }) {
  const instance = useInstance()
  const canWrite = usePermission('accounts:write')
  const canLink = usePermission('payment_links:write')
  const archived = account.status === 'ARCHIVED'
  const setStatus = useAction(async (key) => {
    await request('PUT', instance.api(`/accounts/${account.id}`), {
      key,
      ifMatch: account.v,
      body: { account: { status: archived ? 'ACTIVE' : 'ARCHIVED' } },
    })
    invalidate((path) => path.startsWith(instance.api('/accounts')))
    toast(t(archived ? 'active' : 'archived'))
  })
  const save = useAction(() => exportCustomer(account, instance.api))
  const [editing, setEditing] = useState(false)
  const canEdit = canWrite && account.anonymised === null
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'e' || !isLetter(event) || !canEdit) return
      event.preventDefault()
      setEditing(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [canEdit])
  const { tone, label } = accountStatus(account)
  const error = setStatus.error ?? save.error
  return (
    <>
      <ScreenHead
        title={customerText(account)}
        back={{ label: t('title'), href: instance.screen('/customers') }}
      >
        <Pill tone={tone}>{label}</Pill>
        {canEdit && (
          <Button icon="pencil" keys="E" onClick={() => setEditing(true)}>
            {t('edit')}
          </Button>
        )}
        {canLink && account.status !== 'ARCHIVED' && (
          <ButtonLink icon="plus" href={instance.screen(`/links/new?account=${account.id}`)}>
            {t('new_link')}
          </ButtonLink>
        )}
        <Button icon="download" busy={save.busy} onClick={() => void save.run()}>
          {t('export')}
        </Button>
        {canLink && account.status !== 'ARCHIVED' && (
          <ButtonLink
            icon="link"
            href={instance.screen(`/links/deep?do=task&account=${account.id}`)}
          >
            {t('task_link')}
          </ButtonLink>
        )}
        {canWrite && account.status !== 'PENDING' && (
          <Button icon="archive" busy={setStatus.busy} onClick={() => void setStatus.run()}>
            {t(archived ? 'restore' : 'archive')}
          </Button>
        )}
      </ScreenHead>
      {error && (
        <div class="editor-error" role="alert">
          <Banner tone="bad">{errorTitle(error)}</Banner>
        </div>
      )}
      <SameKey account={account} />
      {editing && <CustomerDialog account={account} onClose={() => setEditing(false)} />}
      <div class="payment-columns">
        <div>
          <Related<Payment> name="payments" title={t('payments')} account={account.id}>
            {(payment) => ({
              key: payment.id,
              href: `/payments/${payment.id}`,
              cells: [
                formatMoney(payment.amount, payment.currency),
                <Pill tone={paymentStatus(payment).tone}>{paymentStatus(payment).label}</Pill>,
                <Ago at={payment.created} />,
              ],
            })}
          </Related>
          <Related<Charge> name="charges" title={t('charges')} account={account.id}>
            {(charge) => ({
              key: charge.id,
              href: `/charges/${charge.id}`,
              cells: [
                formatMoney(charge.outstanding_amount, charge.currency),
                charge.description ?? charge.alt_key ?? '',
                <Ago at={charge.due} />,
              ],
            })}
          </Related>
          <Related<Contract> name="contracts" title={t('contracts')} account={account.id}>
            {(contract) => ({
              key: contract.id,
              href: `/contracts/${contract.id}`,
              cells: [
                formatMoney(contract.amount, contract.currency),
                contract.description ?? contract.alt_key ?? '',
                <Ago at={contract.next_due} />,
              ],
            })}
          </Related>
          <Methods account={account} canWrite={canWrite} />
          <Timeline of={account.id} />
        </div>
        <Section title={t('customer')}>
          <KeyValue
            rows={[
              [t('email'), account.email ?? '–'],
              [t('phone'), account.phone ?? '–'],
              [t('company'), account.company ?? '–'],
              [t('address'), addressText(account)],
              [t('key'), <code>{account.crm_key}</code>],
              [t('tags'), account.tags ?? '–'],
              [t('locale'), account.locale ?? '–'],
              [t('timezone'), account.timezone ?? '–'],
              account.anonymised !== null && [t('anonymised'), formatTime(account.anonymised)],
            ]}
          />
          <CopyText text={account.id} />
        </Section>
      </div>
    </>
  )
}

/** The other accounts with the merchant's key of this customer, which the API finds by the newest alone. */
function SameKey({ account }: { account: Account }) {
  const { api, screen } = useInstance()
  const criteria = printConditions([{ field: 'crm_key', operator: '=', values: [account.crm_key] }])
  const { data } = useResource<{ accounts: Account[] }>(
    account.crm_key === account.id ? null : api(`/accounts?${listQuery({ criteria, limit: 10 })}`),
  )
  const others = data?.accounts.filter(({ id }) => id !== account.id) ?? []
  if (others.length === 0) return null
  return (
    <Banner tone="news">
      {t('same_key', { count: others.length, key: account.crm_key })}{' '}
      {others.map((other) => (
        <a key={other.id} href={screen(`/customers/${other.id}`)}>
          {customerText(other)}{' '}
        </a>
      ))}
    </Banner>
  )
}

function addressText({ address }: Account): string {
  if (address === null) return '–'
  return Object.values(address)
    .filter((line) => typeof line === 'string' && line !== '')
    .join(', ')
}

interface RelatedRow {
  key: string
  href: string
  cells: readonly ComponentChildren[]
}

/** The newest records of one kind that belong to the customer. */
function Related<Row>({
  name,
  title,
  account,
  children,
}: {
  name: string
  title: string
  account: string
  children: (row: Row) => RelatedRow
}) {
  const { api, screen } = useInstance()
  const query = listQuery({ criteria: `account=${account}`, limit: 10 })
  const { data, error, reload } = useResource<Record<string, readonly Row[]>>(
    api(`/${name}?${query}`),
  )
  if (error && !data) return <ErrorPanel error={error} retry={reload} />
  const rows = (data?.[name] ?? []).map(children)
  return (
    <Section
      title={title}
      aside={<a href={`${screen(`/${name}`)}?where=account%3D${account}`}>{common('more')}</a>}
    >
      {rows.length === 0 ? (
        <p class="muted">{t('nothing')}</p>
      ) : (
        <table class="plain-table">
          <tbody>
            {rows.map(({ key, href, cells: [first, ...others] }) => (
              <tr key={key}>
                <td>
                  <a href={screen(href)}>{first}</a>
                </td>
                {others.map((cell, at) => (
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

function Methods({ account, canWrite }: { account: Account; canWrite: boolean }) {
  const { api } = useInstance()
  const [removed, setRemoved] = useState<PaymentMethod>()
  const path = api(
    `/payment_methods?${listQuery({ criteria: `account=${account.id}`, limit: 20 })}`,
  )
  const { data, error, reload } = useResource<{ payment_methods: PaymentMethod[] }>(path)
  if (error && !data) return <ErrorPanel error={error} retry={reload} />
  const methods = data?.payment_methods.filter(({ status }) => status !== 'REMOVED') ?? []
  return (
    <Section title={t('methods')}>
      {methods.length === 0 && <p class="muted">{t('nothing')}</p>}
      <table class="plain-table">
        <tbody>
          {methods.map((method) => (
            <tr key={method.id}>
              <td>{method.label}</td>
              <td>
                {method.card?.exp_month && `${method.card.exp_month} / ${method.card.exp_year}`}
              </td>
              <td class="number">
                {canWrite && (
                  <Button kind="plain" onClick={() => setRemoved(method)}>
                    {t('method_remove')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {removed && <RemoveDialog method={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  )
}

function RemoveDialog({ method, onClose }: { method: PaymentMethod; onClose: () => void }) {
  const { api } = useInstance()
  const remove = useAction(async () => {
    await request('DELETE', api(`/payment_methods/${method.id}`))
    invalidate((path) => path.startsWith(api('/payment_methods')))
    toast(t('method_removed'))
    onClose()
  })
  return (
    <ConfirmDialog
      title={t('method_remove_title')}
      label={t('method_remove')}
      action={remove}
      onClose={onClose}
    >
      <p>{t('method_remove_explain', { method: method.label })}</p>
    </ConfirmDialog>
  )
}
