import { useEffect, useRef } from 'preact/hooks'
import type { TargetedSubmitEvent } from 'preact'
import { LockIcon } from '../ui/icons.tsx'
import { Amount } from './Amount.tsx'
import { usePage } from './context.ts'
import { inputId } from './fields.ts'
import { Methods } from './Methods.tsx'
import { LateNotice, NoticeRegion } from './Notices.tsx'
import { PayButton } from './PayButton.tsx'
import { PayerDetails } from './PayerDetails.tsx'
import { Reference } from './Reference.tsx'
import { SaveCard } from './SaveCard.tsx'
import { payWith } from './pay-with.ts'
import { inOrder } from './submission.ts'

/** Everything that the payer fills in, and the button that pays. */
export function Form() {
  const page = usePage()
  const { checkout, form, t } = page
  const { terms, details } = checkout.checkout.value
  const element = useRef<HTMLFormElement>(null)
  const busy = checkout.phase.value !== 'editing'

  // Whatever sends the payer back to the form, the focus goes to where the reason stands.
  const attention = checkout.attention.value
  useEffect(() => {
    if (attention === 0) return
    const root = element.current
    const first = inOrder(form.errors.peek())[0]
    const field = first && root?.querySelector<HTMLElement>(`#${inputId(first)}`)
    const notice = root?.ownerDocument.querySelector<HTMLElement>('#notice')
    if (field) field.focus()
    else if (checkout.notice.peek() !== null) notice?.focus()
  }, [attention])

  function onSubmit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    void payWith(page)
  }

  return (
    // A form of the method "dialog" outside of a dialog goes nowhere: if the script never comes,
    // pressing Enter must not send what was typed anywhere.
    <form ref={element} class="form" method="dialog" noValidate onSubmit={onSubmit}>
      <LateNotice />
      <NoticeRegion />
      <fieldset class="sections" disabled={busy}>
        {terms.amount_editable && <Amount />}
        {details.needed && <PayerDetails />}
        <Reference />
        <Methods />
        <SaveCard />
      </fieldset>
      <PayButton />
      <p class="trust">
        <LockIcon />
        <span>{t('checkout.trust')}</span>
      </p>
    </form>
  )
}
