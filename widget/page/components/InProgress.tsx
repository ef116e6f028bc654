import type { ShownResult } from '../../../shared/page-model.ts'
import { usePage } from '../page-context.ts'
import type { Redirect } from '../screen.ts'
import { CheckAgain } from './CheckAgain.tsx'
import { PaymentDetails } from './PaymentDetails.tsx'
import { Price } from './Price.tsx'
import { StatusCard } from './StatusCard.tsx'

/** The processor has not reported the outcome. */
export function Checking({ result }: { result: ShownResult | null }) {
  const { formatMoney, t } = usePage()
  return (
    <StatusCard icon="busy" title={t('status.checking_title')}>
      {result !== null && <Price text={formatMoney(result)} />}
      <p class="text lead">{t('status.checking')}</p>
      {result !== null && <PaymentDetails result={result} />}
      <CheckAgain stopped="status.checking_later" />
    </StatusCard>
  )
}

/** The response to the submit was lost. */
export function Unconfirmed() {
  const { checkout, form, formatAmount, t } = usePage()
  const isTrial = checkout.checkout.value.terms.recurring?.trial_days
  const amount = isTrial ? null : form.amount.value
  return (
    <StatusCard icon="busy" title={t('status.unsure_title')}>
      {amount !== null && <Price text={formatAmount(amount)} />}
      <p class="text lead">{t('status.unsure')}</p>
      <CheckAgain stopped="status.checking_later" always />
    </StatusCard>
  )
}

/** The link is being paid in another window. */
export function Busy() {
  const { t } = usePage()
  return (
    <StatusCard icon="busy" title={t('status.busy_title')}>
      <p class="text lead">{t('status.busy')}</p>
      <CheckAgain stopped="status.busy_later" />
    </StatusCard>
  )
}

/** The bank asks the payer to confirm; the payer may continue there or pay another way. */
export function BankStep({ result }: { result: ShownResult }) {
  const { checkout, formatMoney, t } = usePage()
  return (
    <StatusCard icon="waiting" title={t('status.bank_title')}>
      <Price text={formatMoney(result)} />
      <p class="text lead">{t('status.confirm_with_bank')}</p>
      <div class="actions">
        {result.action !== null && (
          <a class="button" href={result.action.url}>
            {t('status.bank_continue')}
          </a>
        )}
        {checkout.hydrated.value && (
          <button type="button" class="button secondary" onClick={() => checkout.payAnotherWay()}>
            {t('status.another_way')}
          </button>
        )}
      </div>
    </StatusCard>
  )
}

/** A navigation in progress, with a link for browsers that block it. */
export function Redirecting({ redirect }: { redirect: Redirect }) {
  const { merchant, t } = usePage()
  const toBank = redirect.to === 'BANK'
  return (
    <StatusCard
      icon="busy"
      title={toBank ? t('status.to_bank_title') : t('status.to_merchant_title', { merchant })}
    >
      <p class="text lead">{t(toBank ? 'status.to_bank' : 'status.to_merchant')}</p>
      <div class="actions">
        <a class="button" href={redirect.url}>
          {t('status.continue')}
        </a>
      </div>
    </StatusCard>
  )
}
