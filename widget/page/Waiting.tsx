import type { ShownResult } from '../../shared/page-model.ts'
import { thisPage } from './context.ts'
import { Facts } from './Facts.tsx'
import { Price } from './Price.tsx'
import { Recheck } from './Recheck.tsx'
import { Sheet } from './Sheet.tsx'

/** Nobody knows yet what became of the payment, so it can neither be denied nor repeated. */
export function Checking({ result }: { result: ShownResult | null }) {
  const { merchant, money, t } = thisPage()
  return (
    <Sheet mark="busy" title={t('status.checking_title')}>
      {result !== null && <Price text={money(result)} />}
      <p class="text lead">{t('status.checking')}</p>
      {result !== null && <Facts result={result} />}
      <Recheck given_up="status.checking_later" values={{ merchant }} />
    </Sheet>
  )
}

/** The answer to this very submit was lost; the page asks for it again. */
export function Unsure() {
  const { form, merchant, price, t } = thisPage()
  const amount = form.amount.value
  return (
    <Sheet mark="busy" title={t('status.unsure_title')}>
      {amount !== null && <Price text={price(amount)} />}
      <p class="text lead">{t('status.unsure')}</p>
      <Recheck given_up="status.checking_later" values={{ merchant }} always />
    </Sheet>
  )
}

/** Somebody pays this link in another window. */
export function Busy() {
  const { t } = thisPage()
  return (
    <Sheet mark="busy" title={t('status.busy_title')}>
      <p class="text lead">{t('status.busy')}</p>
      <Recheck given_up="status.busy_later" />
    </Sheet>
  )
}

/** The bank wants the payer's word; back here, both ways on stay open. */
export function BankStep({ result }: { result: ShownResult }) {
  const { checkout, money, t } = thisPage()
  return (
    <Sheet mark="waiting" title={t('status.bank_title')}>
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
    </Sheet>
  )
}

/** On the way to the bank or the merchant, with a link for browsers that hold redirects back. */
export function Leaving() {
  const { checkout, merchant, t } = thisPage()
  const leaving = checkout.leaving.value
  if (leaving === null) return null
  const bank = leaving.to === 'BANK'
  return (
    <Sheet
      mark="busy"
      title={bank ? t('status.to_bank_title') : t('status.to_merchant_title', { merchant })}
    >
      <p class="text lead">{t(bank ? 'status.to_bank' : 'status.to_merchant')}</p>
      <div class="actions">
        <a class="button" href={leaving.url}>
          {t('status.continue')}
        </a>
      </div>
    </Sheet>
  )
}
