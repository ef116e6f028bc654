import { hydrate, render } from 'preact'
import { intlLanguage } from '../../shared/rules/wording.ts'
import { App } from './components/App.tsx'
import type { PageContext } from './page-context.ts'
import { faceOf } from './screen.ts'
import { inOrder, inputId } from './fields.ts'
import { loadChunks } from './load-chunks.ts'
import { chunksFor } from './chunks.ts'
import { effect } from './signal.ts'
import type { Notice } from './store.ts'
import { titleOf } from './title.ts'

/** Known by itself: whoever else could not reach the server says so until that is over. */
const MISSED: Notice = { tone: 'problem', id: 'errors.no_connection' }
const AGAIN_MS = 3_000

/** Draws the page over what the server drew, and again whenever the state has changed. */
export function mount(root: HTMLElement, page: PageContext): void {
  const { checkout, form } = page
  const { documentElement: html } = document
  let draw = hydrate
  let shown = faceOf(checkout)
  let attended = 0
  let again: ReturnType<typeof setTimeout> | undefined

  effect(() => {
    form.forgetCode()
    void fetchParts()
    draw(<App {...page} />, root)
    draw = render
    const face = faceOf(checkout)
    const { language, direction } = checkout.checkout.value
    document.title = titleOf(checkout.checkout.value, face)
    html.lang = intlLanguage(language)
    html.dir = direction
    if (face !== shown) toHeading()
    shown = face
    const attention = checkout.attention.value
    if (attention !== attended) toReason()
    attended = attention
  })

  /** A part that cannot be fetched is asked for again, and missed in words meanwhile. */
  async function fetchParts(): Promise<void> {
    const { notice, connection } = checkout
    try {
      await loadChunks(chunksFor(page))
      if (notice.value === MISSED && connection.value === 'open') notice.value = null
    } catch {
      const asks = faceOf(checkout) === 'FORM' && checkout.phase.value === 'editing'
      if (asks) notice.value = MISSED
      clearTimeout(again)
      again = setTimeout(fetchParts, AGAIN_MS)
    }
  }

  /** A new face takes the focus along, so that nobody is left on a button that is gone. */
  function toHeading(): void {
    scrollTo(0, 0)
    if (faceOf(checkout) === 'FORM' && checkout.notice.value !== null) toReason()
    else root.querySelector<HTMLElement>('h1')?.focus()
  }

  /** Whatever sends the payer back to the form, the focus goes to where the reason stands. */
  function toReason(): void {
    const [first] = inOrder(form.errors.value)
    const place = first ? inputId(first) : 'notice'
    if (first || checkout.notice.value !== null) document.getElementById(place)?.focus()
    else root.querySelector<HTMLElement>('[name=method]:checked')?.focus()
  }
}
