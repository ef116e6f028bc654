import { useEffect, useRef } from 'preact/hooks'
import { AnnouncementRegion, NoticeRegion } from '../page/components/Notices.tsx'
import { StatusCard } from '../page/components/StatusCard.tsx'
import { fieldsWithErrors, inputId } from '../page/fields.ts'
import { PageContext, type PayPage } from '../page/page-context.ts'
import { clockTime } from './clock-time.ts'
import { BusyButton, ContractScreen } from './ContractScreen.tsx'
import { MethodForm } from './MethodForm.tsx'
import { MethodLine } from './MethodLine.tsx'
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
  if (step === 'over') {
    return (
      <StatusCard icon="info" title={t('tasks.over_title')}>
        <p class="text lead">{t('tasks.over', { merchant })}</p>
      </StatusCard>
    )
  }
  if (step === 'in_use') return <InUse />
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
    const { payment_method } = task.result
    return (
      <StatusCard icon="done" title={t('tasks.saved_title')}>
        {payment_method && (
          <p class="lead">
            <MethodLine method={payment_method} />
          </p>
        )}
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

/** Another browser has the session, and keeps it until it was idle for a while. */
function InUse() {
  const { actions, checkout, store, t } = useTask()
  const { value: freeAt } = store.freeAt
  const time = freeAt === null ? '' : clockTime(checkout.checkout.value, Date.parse(freeAt))
  return (
    <StatusCard icon="info" title={t('tasks.in_use_title')}>
      <p class="text lead">{t('tasks.in_use', { time })}</p>
      <NoticeRegion />
      <div class="actions">
        <BusyButton secondary text={t('status.check_now')} onClick={() => void actions.open()} />
      </div>
    </StatusCard>
  )
}

/**
 * Moves the focus to the heading of a new screen, to a question, and to the reason when something needs
 * attention.
 */
function useFocus(): void {
  const { checkout, form, store } = useTask()
  const requests = checkout.focusRequests.value
  const question = store.question.value
  const step = store.step.value
  const saved = store.task.value?.result?.outcome === 'SAVED'
  // The form, or the contract, is the same screen before and after its session is open.
  const place = step === 'opening' || step === 'unreachable' ? 'open' : step
  const screen = `${place} ${store.editing.value} ${saved}`
  const previous = useRef({ screen, requests, question })
  // After the layout: the components below may render after this one.
  useEffect(() => {
    const before = previous.current
    previous.current = { screen, requests, question }
    const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
    if (requests !== before.requests) {
      // The first one in the page, whatever their order in the form.
      const fields = fieldsWithErrors(form.errors.value).map((field) => `#${inputId(field)}`)
      focus(fields.join() || '#notice')
    } else if (screen !== before.screen) {
      scrollTo(0, 0)
      focus('main h1')
    } else if (question !== before.question) {
      focus(question === null ? `#ask-${before.question}` : '#task-question')
    }
  }, [screen, requests, question])
}
