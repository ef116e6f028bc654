import { useLayoutEffect, useRef } from 'preact/hooks'
import { chunk } from '../chunks.ts'
import { fieldsWithErrors, inputId } from '../fields.ts'
import { type PayPage, PageContext, usePage } from '../page-context.ts'
import { type Screen, screenTitle } from '../screen.ts'
import { AnnouncementRegion } from './Notices.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import { PaymentForm } from './PaymentForm.tsx'

export function App({ page }: { page: PayPage }) {
  return (
    <PageContext.Provider value={page}>
      <Layout />
    </PageContext.Provider>
  )
}

function Layout() {
  const { checkout, t } = usePage()
  const screen = checkout.screen.value
  const LegalEntity = chunk('entity')?.LegalEntity
  useFocus()
  return (
    <div class={screen.kind === 'form' ? 'page paying' : 'page'}>
      {checkout.model.test_mode && (
        <header class="ribbon">
          <strong>{t('checkout.test_mode')}</strong> {t('checkout.test_mode_hint')}
        </header>
      )}
      <AnnouncementRegion />
      <main>
        <CurrentScreen screen={screen} />
      </main>
      {LegalEntity && <LegalEntity />}
    </div>
  )
}

function CurrentScreen({ screen }: { screen: Screen }) {
  const { checkout } = usePage()
  if (screen.kind === 'form') {
    return (
      <div class="columns">
        <OrderSummary />
        <PaymentForm />
      </div>
    )
  }
  const ResultScreen = chunk('result')?.ResultScreen
  if (ResultScreen) return <ResultScreen screen={screen} />
  return (
    <section class="status-card">
      <h1 tabIndex={-1}>{screenTitle(screen, checkout.checkout.value)}</h1>
    </section>
  )
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus()
}

/** Moves the focus to the heading of a new screen, and to the reason when the form needs attention. */
function useFocus(): void {
  const { checkout, form } = usePage()
  const requests = checkout.focusRequests.value
  const screen = checkout.screen.value
  const state = screen.kind === 'redirecting' ? screen.redirect.to : screen.kind
  const previous = useRef({ state, requests })

  useLayoutEffect(() => {
    const hasNotice = checkout.notice.value !== null
    const { state: oldState, requests: oldRequests } = previous.current
    previous.current = { state, requests }
    if (state !== oldState) scrollTo(0, 0)
    if (state === 'form' && (requests !== oldRequests || (state !== oldState && hasNotice))) {
      const [field] = fieldsWithErrors(form.errors.value)
      focus(field ? `#${inputId(field)}` : hasNotice ? '#notice' : '[name=method]:checked')
    } else if (state !== oldState) focus('main h1')
  }, [state, requests])
}
