import { useEffect, useRef } from 'preact/hooks'
import { intlLanguage } from '../../shared/rules/wording.ts'
import { Page, usePage } from './context.ts'
import type { PageContext } from './context.ts'
import { Form } from './Form.tsx'
import { Expired, Unavailable } from './Gone.tsx'
import { WhisperRegion } from './Notices.tsx'
import { Order } from './Order.tsx'
import { PendingReceipt, Receipt } from './Receipt.tsx'
import { faceOf } from './face.ts'
import type { Face as FaceName } from './face.ts'
import { titleOf } from './title.ts'
import { BankStep, Busy, Checking, Leaving, Unsure } from './Waiting.tsx'

/** The whole page: the frame that every state shares, and the state. */
export function App(props: PageContext) {
  return (
    <Page.Provider value={props}>
      <Frame />
    </Page.Provider>
  )
}

function Frame() {
  const { checkout, t } = usePage()
  const face = faceOf(checkout)
  const frame = useRef<HTMLDivElement>(null)
  const before = useRef(face)

  // A new face takes the focus to its heading, so that nobody is left on a button that is gone.
  useEffect(() => {
    const root = frame.current
    if (root === null) return
    root.ownerDocument.title = titleOf(checkout.checkout.value, face)
    if (before.current === face) return
    before.current = face
    root.ownerDocument.defaultView?.scrollTo(0, 0)
    if (face !== 'FORM' || checkout.notice.peek() === null) {
      root.querySelector<HTMLElement>('h1')?.focus()
    }
  }, [face, checkout.checkout.value.language])

  const { language, direction } = checkout.checkout.value
  useEffect(() => {
    const html = frame.current?.ownerDocument.documentElement
    if (!html) return
    html.lang = intlLanguage(language)
    html.dir = direction
  }, [language, direction])

  return (
    <div class={face === 'FORM' ? 'page paying' : 'page'} ref={frame}>
      {checkout.model.test_mode && (
        <header class="ribbon">
          <strong>{t('checkout.test_mode')}</strong> {t('checkout.test_mode_hint')}
        </header>
      )}
      <WhisperRegion />
      <main>
        <Face face={face} />
      </main>
    </div>
  )
}

function Face({ face }: { face: FaceName }) {
  const { result } = usePage().checkout.checkout.value
  switch (face) {
    case 'FORM':
      return (
        <div class="columns">
          <Order />
          <Form />
        </div>
      )
    case 'RECEIPT':
      return result && <Receipt result={result} />
    case 'PENDING':
      return result && <PendingReceipt result={result} />
    case 'BANK':
      return result && <BankStep result={result} />
    case 'CHECKING':
      return <Checking result={result} />
    case 'TO_BANK':
    case 'TO_MERCHANT':
      return <Leaving />
    case 'UNSURE':
      return <Unsure />
    case 'BUSY':
      return <Busy />
    case 'EXPIRED':
      return <Expired />
    case 'UNAVAILABLE':
      return <Unavailable />
  }
}
