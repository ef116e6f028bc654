import { ClockIcon } from '../../ui/icons.tsx'
import { chunk } from '../chunks.ts'
import { usePage } from '../page-context.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { Merchant } from './Merchant.tsx'
import { priceClass } from './price-class.ts'

export function OrderSummary() {
  const page = usePage()
  const { checkout, form, formatAmount, formatDateTime, merchant, t } = page
  const { terms } = checkout.checkout.value
  const amount = form.amount.value
  const owed = chunk('owed')
  const price = owed?.trialPrice(page) ?? (amount && formatAmount(amount))
  return (
    <section class="order" aria-labelledby="order-title">
      <div class="order-header">
        <Merchant />
        <LanguageMenu />
      </div>
      <h1 id="order-title" tabIndex={-1}>
        {terms.name === merchant ? t('checkout.pay_merchant', { merchant }) : terms.name}
      </h1>
      <p
        class={price === null ? 'amount open' : priceClass(price)}
        aria-live={terms.amount_editable ? 'polite' : undefined}
      >
        {price ?? t('checkout.amount_open')}
      </p>
      {owed && <owed.Owed />}
      {terms.intro !== null && <p class="text">{terms.intro}</p>}
      <dl class="properties">
        {terms.description !== null && !terms.description_editable && (
          <div>
            <dt>{t('checkout.comment')}</dt>
            <dd class="text">{terms.description}</dd>
          </div>
        )}
        {terms.alt_key !== null && !terms.alt_key_editable && (
          <div>
            <dt>{t('checkout.reference')}</dt>
            <dd>{terms.alt_key}</dd>
          </div>
        )}
      </dl>
      {terms.expires !== null && (
        <p class="expiry">
          <ClockIcon />
          <span>{t('checkout.expires', { date: formatDateTime(terms.expires) })}</span>
        </p>
      )}
    </section>
  )
}
