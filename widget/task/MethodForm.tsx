import { LockIcon, Spinner } from '../ui/icons.tsx'
import { Merchant } from '../page/components/Merchant.tsx'
import { LateNotice, NoticeRegion } from '../page/components/Notices.tsx'
import { PaymentMethods } from '../page/components/PaymentMethods.tsx'
import { useTask } from './task-context.ts'

/** The form for a method that is saved, without an amount. */
export function MethodForm() {
  const { actions, checkout, merchant, store, t } = useTask()
  const busy = checkout.step.value !== 'form'
  const isManaging = store.action === 'MANAGE_CONTRACT'
  return (
    <form
      class="form"
      method="dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void actions.saveMethod()
      }}
    >
      <Merchant />
      <h1 tabIndex={-1}>{t(isManaging ? 'tasks.change' : 'tasks.title_add')}</h1>
      <LateNotice />
      <NoticeRegion />
      <fieldset class="fields" disabled={busy}>
        <PaymentMethods />
        <p class="note consent">{t('tasks.consent', { merchant })}</p>
      </fieldset>
      <div class="pay">
        <button type="submit" class="button" aria-disabled={busy ? 'true' : undefined}>
          {busy ? <Spinner /> : <LockIcon />}
          <span>{t(busy ? 'tasks.saving' : 'tasks.save')}</span>
        </button>
        {isManaging && (
          <button
            type="button"
            class="button secondary"
            onClick={() => (store.editing.value = false)}
          >
            {t('tasks.keep')}
          </button>
        )}
      </div>
      <p class="security-note">
        <LockIcon />
        <span>{t('checkout.trust')}</span>
      </p>
    </form>
  )
}
