import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { Account } from '../../../shared/schemas/account.ts'
import type { Contract } from '../../../shared/schemas/contract.ts'
import type { PaymentMethod } from '../../../shared/schemas/payment-method.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ActionError, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { customerText } from '../customers/customer-name.tsx'
import { ContractDialog } from './ContractDialog.tsx'
import { contractStatus, rhythm } from './Charges.tsx'
import { Timeline } from '../timeline/Timeline.tsx'
import { t } from './charges-words.ts'
import '../payments/payments.css'

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
  const [changing, setChanging] = useState(false)
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
            <Button icon="pencil" onClick={() => setChanging(true)}>
              {t('change')}
            </Button>
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
        <div class="editor-error">
          <ActionError error={put.error} />
        </div>
      )}
      {changing && (
        <ContractDialog
          contract={contract}
          account={contract.account?.id}
          method={contract.payment_method?.id}
          onClose={() => setChanging(false)}
        />
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
        <ConfirmDialog
          title={t('cancel_title')}
          label={t('cancel_title')}
          action={cancel}
          onClose={() => setCancelling(false)}
        >
          <p>{t('cancel_explain')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
