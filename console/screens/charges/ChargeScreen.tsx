import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { Account } from '../../../shared/schemas/account.ts'
import type { Charge } from '../../../shared/schemas/charge.ts'
import type { Contract } from '../../../shared/schemas/contract.ts'
import type { PaymentMethod } from '../../../shared/schemas/payment-method.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { t as common } from '../../shell/common-words.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Banner, ErrorPanel, errorTitle, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { customerText } from '../customers/customer-name.tsx'
import { chargeStatus, contractStatus, rhythm } from './Charges.tsx'
import { Timeline } from '../timeline/Timeline.tsx'
import { t } from './charges-words.ts'
import '../payments/payments.css'

type FullCharge = Omit<Charge, 'account' | 'payment_method'> & {
  account: Account | null
  payment_method: PaymentMethod | null
}

/** One charge: what is owed, and what can be done about it. */
export function ChargeScreen() {
  const { api } = useInstance()
  const { params } = useRoute()
  const read = useResource<{ charge: FullCharge }>(
    api(`/charges/${encodeURIComponent(params['id'] ?? '')}?expand=account,payment_method`),
  )
  const charge = read.data?.charge
  if (!charge) {
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  }
  return <ChargeDetails charge={charge} />
}

function ChargeDetails({ charge }: { charge: FullCharge }) {
  const { api, screen, timezone } = useInstance()
  const canWrite = usePermission('charges:write')
  const [writingOff, setWritingOff] = useState(false)
  const { tone, label } = chargeStatus(charge)
  const put = useAction(async (key, status: 'ACTIVE' | 'WRITTENOFF') => {
    await request('PUT', api(`/charges/${charge.id}`), {
      key,
      ifMatch: charge.v,
      body: { charge: { status } },
    })
    invalidate((path) => path.startsWith(api('/charges')))
    setWritingOff(false)
    toast(t('saved'))
  })
  return (
    <>
      <ScreenHead
        title={formatMoney(
          charge.status === 'PAID' ? charge.amount : charge.outstanding_amount,
          charge.currency,
        )}
        back={{ label: t('charges'), href: screen('/charges') }}
      >
        {canWrite && charge.status === 'ACTIVE' && (
          <Button onClick={() => setWritingOff(true)}>{t('write_off')}</Button>
        )}
        {canWrite && charge.status === 'WRITTENOFF' && (
          <Button busy={put.busy} onClick={() => void put.run('ACTIVE')}>
            {t('take_up')}
          </Button>
        )}
      </ScreenHead>
      <div class="payment-columns">
        <div>
          <Section title={t('charge')}>
            <KeyValue
              rows={[
                [t('status'), <Pill tone={tone}>{label}</Pill>],
                [t('total'), formatMoney(charge.amount, charge.currency)],
                [t('paid'), formatMoney(charge.paid_amount, charge.currency)],
                [t('refunded'), formatMoney(charge.refunded_amount, charge.currency)],
                [t('due'), charge.due === null ? '–' : formatTime(charge.due, timezone)],
                [t('attempts'), String(charge.attempts)],
                [t('next_try'), <Ago at={charge.next_attempt} />],
                [t('method'), charge.payment_method?.label ?? '–'],
                [t('description'), charge.description ?? '–'],
              ]}
            />
          </Section>
          <Timeline of={charge.id} />
        </div>
        <div>
          <Section title={t('customer')}>
            {charge.account && (
              <a href={screen(`/customers/${charge.account.id}`)}>{customerText(charge.account)}</a>
            )}
            {typeof charge.contract === 'string' && (
              <a href={screen(`/contracts/${charge.contract}`)}>{t('contract')}</a>
            )}
            <CopyText text={charge.id} />
          </Section>
        </div>
      </div>
      {writingOff && (
        <Dialog
          title={t('write_off_title')}
          onClose={() => setWritingOff(false)}
          footer={
            <>
              <Button kind="plain" onClick={() => setWritingOff(false)}>
                {common('cancel')}
              </Button>
              <Button kind="danger" busy={put.busy} onClick={() => void put.run('WRITTENOFF')}>
                {t('write_off')} {formatMoney(charge.outstanding_amount, charge.currency)}
              </Button>
            </>
          }
        >
          {put.error && (
            <Banner tone="bad">
              {errorTitle(put.error)} {put.error.message}
            </Banner>
          )}
          <p>
            {t('write_off_explain', {
              amount: formatMoney(charge.outstanding_amount, charge.currency),
            })}
          </p>
        </Dialog>
      )}
    </>
  )
}

type FullContract = Omit<Contract, 'account' | 'payment_method'> & {
  account: Account | null
  payment_method: PaymentMethod | null
}

/** One contract, which can be paused, resumed and cancelled. */
export function ContractScreen() {
  const { api } = useInstance()
  const { params } = useRoute()
  const read = useResource<{ contract: FullContract }>(
    api(`/contracts/${encodeURIComponent(params['id'] ?? '')}?expand=account,payment_method`),
  )
  const contract = read.data?.contract
  if (!contract) {
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  }
  return <ContractDetails contract={contract} />
}

function ContractDetails({ contract }: { contract: FullContract }) {
  const { api, screen, timezone } = useInstance()
  const canWrite = usePermission('charges:write')
  const [cancelling, setCancelling] = useState(false)
  const path = api(`/contracts/${contract.id}`)
  const changed = () => {
    invalidate((one) => one.startsWith(api('/contracts')) || one.startsWith(api('/charges')))
    setCancelling(false)
    toast(t('saved'))
  }
  const put = useAction(async (key, status: 'ACTIVE' | 'PAUSED') => {
    await request('PUT', path, { key, ifMatch: contract.v, body: { contract: { status } } })
    changed()
  })
  const cancel = useAction(async () => {
    await request('DELETE', path)
    changed()
  })
  const { tone, label } = contractStatus(contract)
  const runs = contract.status === 'ACTIVE' || contract.status === 'PAUSED'
  return (
    <>
      <ScreenHead
        title={`${formatMoney(contract.amount, contract.currency)} · ${rhythm(contract)}`}
        back={{ label: t('contracts'), href: screen('/contracts') }}
      >
        {canWrite && runs && (
          <>
            <Button
              busy={put.busy}
              onClick={() => void put.run(contract.status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE')}
            >
              {t(contract.status === 'ACTIVE' ? 'pause' : 'resume')}
            </Button>
            <Button onClick={() => setCancelling(true)}>{t('cancel_contract')}</Button>
          </>
        )}
      </ScreenHead>
      {put.error && (
        <div class="editor-error" role="alert">
          <Banner tone="bad">
            {errorTitle(put.error)} {put.error.message}
          </Banner>
        </div>
      )}
      <div class="payment-columns">
        <div>
          <Section title={t('contract')}>
            <KeyValue
              rows={[
                [t('status'), <Pill tone={tone}>{label}</Pill>],
                [
                  t('next_due'),
                  contract.next_due === null ? '–' : formatTime(contract.next_due, timezone),
                ],
                [t('charges_paid'), `${contract.charges_paid} / ${contract.charges_total}`],
                [t('method'), contract.payment_method?.label ?? '–'],
                [t('description'), contract.description ?? '–'],
                [t('your_key'), contract.alt_key ?? '–'],
              ]}
            />
          </Section>
          <Timeline of={contract.id} />
        </div>
        <div>
          <Section title={t('customer')}>
            {contract.account && (
              <a href={screen(`/customers/${contract.account.id}`)}>
                {customerText(contract.account)}
              </a>
            )}
            <a href={`${screen('/charges')}?tab=all&where=contract%3D${contract.id}`}>
              {t('charges')}
            </a>
            <CopyText text={contract.id} />
          </Section>
        </div>
      </div>
      {cancelling && (
        <Dialog
          title={t('cancel_title')}
          onClose={() => setCancelling(false)}
          footer={
            <>
              <Button kind="plain" onClick={() => setCancelling(false)}>
                {common('close')}
              </Button>
              <Button kind="danger" busy={cancel.busy} onClick={() => void cancel.run()}>
                {t('cancel_title')}
              </Button>
            </>
          }
        >
          {cancel.error && (
            <Banner tone="bad">
              {errorTitle(cancel.error)} {cancel.error.message}
            </Banner>
          )}
          <p>{t('cancel_explain')}</p>
        </Dialog>
      )}
    </>
  )
}
