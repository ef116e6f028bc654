import type { TargetedSubmitEvent } from 'preact'
import { LockIcon } from '../../ui/icons.tsx'
import { thisPage } from '../page-context.ts'
import { PaymentMethods } from './PaymentMethods.tsx'
import { LateNotice, NoticeRegion } from './Notices.tsx'
import { chunk } from '../chunks.ts'
import { PayButton } from './PayButton.tsx'
import { PayerDetails } from './PayerDetails.tsx'
import { SaveCard } from './SaveCard.tsx'

/** Everything that the payer fills in, and the button that pays. */
export function PaymentForm() {
  const { checkout, form, submit, t } = thisPage()
  const { terms, details } = checkout.checkout.value
  const { AmountField, ReferenceFields } = chunk('terms') ?? {}
  const busy = checkout.phase.value !== 'editing'

  function onSubmit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    submit()
  }

  return (
    // A form of the method "dialog" outside of a dialog goes nowhere: if the script never comes,
    // pressing Enter must not send what was typed anywhere.
    <form class="form" method="dialog" noValidate onSubmit={onSubmit}>
      <LateNotice />
      <NoticeRegion />
      <fieldset class="sections" disabled={busy}>
        {terms.amount_editable && AmountField && <AmountField />}
        {details.needed && <PayerDetails />}
        {ReferenceFields && <ReferenceFields />}
        <PaymentMethods />
        <SaveCard />
      </fieldset>
      {form.choices.value.length > 0 && <PayButton />}
      <p class="trust">
        <LockIcon />
        <span>{t('checkout.trust')}</span>
      </p>
    </form>
  )
}
