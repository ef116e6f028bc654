import type { ShownResult } from '../../../shared/page-model.ts'
import { thisPage } from '../page-context.ts'
import { PaymentDetails } from './PaymentDetails.tsx'
import { Price } from './Price.tsx'
import { CheckAgain } from './CheckAgain.tsx'
import { StatusCard } from './StatusCard.tsx'

/** Nobody knows yet what became of the payment, so it can neither be denied nor repeated. */
export function Checking({ result }: { result: ShownResult | null }) {
  const { merchant, money, t } = thisPage()
  return (
    <StatusCard mark="busy" title={t('status.checking_title')}>
      {result !== null && <Price text={money(result)} />}
      <p class="text lead">{t('status.checking')}</p>
      {result !== null && <PaymentDetails result={result} />}
      <CheckAgain given_up="status.checking_later" values={{ merchant }} />
    </StatusCard>
  )
}

/** The answer to this very submit was lost; the page asks for it again. */
export function Unsure() {
  const { form, merchant, price, t } = thisPage()
  const amount = form.amount.value
  return (
    <StatusCard mark="busy" title={t('status.unsure_title')}>
      {amount !== null && <Price text={price(amount)} />}
      <p class="text lead">{t('status.unsure')}</p>
      <CheckAgain given_up="status.checking_later" values={{ merchant }} always />
    </StatusCard>
  )
}

/** Somebody pays this link in another window. */
export function Busy() {
  const { t } = thisPage()
  return (
    <StatusCard mark="busy" title={t('status.busy_title')}>
      <p class="text lead">{t('status.busy')}</p>
      <CheckAgain given_up="status.busy_later" />
    </StatusCard>
  )
}

/** The bank wants the payer's word; back here, both ways on stay open. */
export function BankStep({ result }: { result: ShownResult }) {
  const { checkout, money, t } = thisPage()
  return (
    <StatusCard mark="waiting" title={t('status.bank_title')}>
      <Price text={money(result)} />
      <p class="text lead">{t('status.confirm_with_bank')}</p>
      <div class="actions">
        {result.action !== null && (
          <a class="button" href={result.action.url}>
            {t('status.bank_continue')}
          </a>
        )}
        {checkout.ready.value && (
          <button
            type="button"
            class="button quiet-button"
            onClick={() => checkout.payAnotherWay()}
          >
            {t('status.another_way')}
          </button>
        )}
      </div>
    </StatusCard>
  )
}

/** On the way to the bank or the merchant, with a link for browsers that hold redirects back. */
export function Leaving() {
  const { checkout, merchant, t } = thisPage()
  const leaving = checkout.leaving.value
  if (leaving === null) return null
  const bank = leaving.to === 'BANK'
  return (
    <StatusCard
      mark="busy"
      title={bank ? t('status.to_bank_title') : t('status.to_merchant_title', { merchant })}
    >
      <p class="text lead">{t(bank ? 'status.to_bank' : 'status.to_merchant')}</p>
      <div class="actions">
        <a class="button" href={leaving.url}>
          {t('status.continue')}
        </a>
      </div>
    </StatusCard>
  )
}
