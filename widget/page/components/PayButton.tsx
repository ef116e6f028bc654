import { LockIcon, Spinner } from '../../ui/icons.tsx'
import { thisPage } from '../page-context.ts'

/**
 * The button that pays. It carries the amount, shows progress in its place, and is never disabled:
 * pressed too early it says what is missing (page design section 1).
 */
export function PayButton() {
  const { checkout, form, price, t } = thisPage()
  const busy = checkout.phase.value !== 'editing'
  const amount = form.amount.value
  const values = { amount: amount === null ? '' : price(amount) }
  return (
    <div class="pay">
      <button type="submit" class="button" aria-disabled={busy ? 'true' : undefined}>
        {busy ? <Spinner /> : <LockIcon />}
        <span>
          {busy
            ? t('checkout.paying', values)
            : amount === null
              ? t('checkout.pay_unknown')
              : t('checkout.pay', values)}
        </span>
      </button>
      {checkout.slow.value && <p class="hint slow">{t('status.slow')}</p>}
    </div>
  )
}
