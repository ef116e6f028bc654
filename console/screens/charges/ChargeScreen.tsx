import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { Account } from '../../../shared/schemas/account.ts'
import type { Charge } from '../../../shared/schemas/charge.ts'
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
import { Ago, formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { customerText } from '../customers/customer-name.tsx'
import { ChargeDialog } from './ChargeDialog.tsx'
import { chargeStatus } from './Charges.tsx'
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
  const [changing, setChanging] = useState(false)
  const writeOff = useAction((key) => change(key, 'WRITTENOFF'))
  const takeUp = useAction((key) => change(key, 'ACTIVE'))
  const { tone, label } = chargeStatus(charge)
  async function change(key: string, status: 'ACTIVE' | 'WRITTENOFF'): Promise<void> {
    await request('PUT', api(`/charges/${charge.id}`), {
      key,
      ifMatch: charge.v,
      body: { charge: { status } },
    })
    invalidate((path) => path.startsWith(api('/charges')))
    setWritingOff(false)
    toast(t('saved'))
  }
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
          <>
            <Button icon="pencil" onClick={() => setChanging(true)}>
              {t('change')}
            </Button>
            <Button onClick={() => setWritingOff(true)}>{t('write_off')}</Button>
          </>
        )}
        {canWrite && charge.status === 'WRITTENOFF' && (
          <Button busy={takeUp.busy} onClick={() => void takeUp.run()}>
            {t('take_up')}
          </Button>
        )}
      </ScreenHead>
      {takeUp.error && (
        <div class="editor-error">
          <ActionError error={takeUp.error} />
        </div>
      )}
      {changing && <ChargeDialog charge={charge} onClose={() => setChanging(false)} />}
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
        <ConfirmDialog
          title={t('write_off_title')}
          label={`${t('write_off')} ${formatMoney(charge.outstanding_amount, charge.currency)}`}
          action={writeOff}
          onClose={() => setWritingOff(false)}
        >
          <p>
            {t('write_off_explain', {
              amount: formatMoney(charge.outstanding_amount, charge.currency),
            })}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
