import { useLayoutEffect, useRef } from 'preact/hooks'
import { Unavailable } from '../page/components/LinkUnavailable.tsx'
import { AnnouncementRegion } from '../page/components/Notices.tsx'
import { StatusCard } from '../page/components/StatusCard.tsx'
import { fieldsWithErrors, inputId } from '../page/fields.ts'
import { PageContext, type PayPage } from '../page/page-context.ts'
import { ContractScreen } from './ContractScreen.tsx'
import { MethodForm } from './MethodForm.tsx'
import { type TaskPage, TaskContext, useTask } from './task-context.ts'

export function TaskApp({ page, task }: { page: PayPage; task: TaskPage }) {
  return (
    <PageContext.Provider value={page}>
      <TaskContext.Provider value={task}>
        <Layout />
      </TaskContext.Provider>
    </PageContext.Provider>
  )
}

function Layout() {
  const { checkout, t } = useTask()
  useFocus()
  return (
    <div class="page">
      {checkout.model.test_mode && (
        <header class="ribbon">
          <strong>{t('checkout.test_mode')}</strong> {t('checkout.test_mode_hint')}
        </header>
      )}
      <AnnouncementRegion />
      <main class="task">
        <Screen />
      </main>
    </div>
  )
}

function Screen() {
  const { store, t, merchant } = useTask()
  const step = store.step.value
  const task = store.task.value
  if (step === 'gone') return <Unavailable />
  if (step === 'in_use') {
    return (
      <StatusCard icon="info" title={t('tasks.in_use_title')}>
        <p class="text lead">{t('tasks.in_use')}</p>
      </StatusCard>
    )
  }
  if (step === 'at_bank') {
    return (
      <StatusCard icon="busy" title={t('status.to_bank_title')}>
        <p class="text lead">{t('status.to_bank')}</p>
        {task?.result?.action_url && (
          <div class="actions">
            <a class="button" href={task.result.action_url}>
              {t('status.bank_continue')}
            </a>
          </div>
        )}
      </StatusCard>
    )
  }
  if (store.action === 'MANAGE_CONTRACT' && !store.editing.value) return <ContractScreen />
  if (task?.result?.outcome === 'SAVED' && !store.editing.value) {
    const { brand, last4 } = task.result.payment_method ?? {}
    return (
      <StatusCard icon="done" title={t('tasks.saved_title')}>
        {last4 && <p class="text lead">{[brand, `•••• ${last4}`].filter(Boolean).join(' ')}</p>}
        <p class="text lead">{t('tasks.saved', { merchant })}</p>
        {task.return_url !== null && (
          <div class="actions">
            <a class="button" href={task.return_url}>
              {t('receipt.back', { merchant })}
            </a>
          </div>
        )}
      </StatusCard>
    )
  }
  return <MethodForm />
}

/** Moves the focus to the heading of a new screen, and to the reason when something needs attention. */
function useFocus(): void {
  const { checkout, form, store } = useTask()
  const requests = checkout.focusRequests.value
  const saved = store.task.value?.result?.outcome === 'SAVED'
  const screen = `${store.step.value === 'opening' ? 'open' : store.step.value} ${store.editing.value} ${saved}`
  const previous = useRef({ screen, requests })
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = { screen, requests }
    const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
    if (requests !== before.requests) {
      const [field] = fieldsWithErrors(form.errors.value)
      focus(field ? `#${inputId(field)}` : '#notice')
    } else if (screen !== before.screen) {
      scrollTo(0, 0)
      focus('main h1')
    }
  }, [screen, requests])
}
