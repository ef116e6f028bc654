import type { TargetedSubmitEvent } from 'preact'
import { LockIcon, Spinner } from '../../ui/icons.tsx'
import { chunk } from '../chunks.ts'
import { usePage } from '../page-context.ts'
import { LateNotice, NoticeRegion } from './Notices.tsx'
import { PayerDetails } from './PayerDetails.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'
import { SaveCard } from './SaveCard.tsx'

export function PaymentForm() {
  const { checkout, form, submit, t } = usePage()
  const { details } = checkout.checkout.value
  const { AmountField, ReferenceFields } = chunk('terms') ?? {}

  function onSubmit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    submit()
  }

  return (
    // Without the script, method "dialog" outside of a dialog keeps Enter from sending the input.
    <form class="form" method="dialog" noValidate onSubmit={onSubmit}>
      <LateNotice />
      <NoticeRegion />
      <fieldset class="fields" disabled={checkout.step.value !== 'form'}>
        {AmountField && <AmountField />}
        {details.needed && <PayerDetails />}
        {ReferenceFields && <ReferenceFields />}
        <PaymentMethods />
        <SaveCard />
      </fieldset>
      {form.choices.value.length > 0 && <PayButton />}
      <p class="security-note">
        <LockIcon />
        <span>{t('checkout.trust')}</span>
      </p>
    </form>
  )
}

/** Never disabled: a submit of an incomplete form reports what is missing. */
function PayButton() {
  const { checkout, form, formatAmount, t } = usePage()
  const busy = checkout.step.value !== 'form'
  const amount = form.amount.value
  const values = { amount: amount === null ? '' : formatAmount(amount) }
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
