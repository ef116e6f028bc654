import { effect, untracked } from '@preact/signals'
import { hydrate } from 'preact'
import { intlLanguage } from '../../shared/rules/wording.ts'
import { App } from './components/App.tsx'
import { chunksFor, loadChunks } from './load-chunks.ts'
import type { PayPage } from './page-context.ts'
import { screenTitle } from './screen.ts'
import type { Notice } from './store.ts'

/** Compared by identity: other code reports a lost connection too and takes its notice back itself. */
const CHUNK_MISSING: Notice = { tone: 'problem', id: 'errors.no_connection' }
const RETRY_MS = 3_000

/** Hydrates the page that the server rendered, and keeps the document in step with the state. */
export function mount(root: HTMLElement, page: PayPage): void {
  const { checkout, form } = page
  const { notice, connection, screen } = checkout
  const { documentElement: html } = document
  let retry: ReturnType<typeof setTimeout> | undefined

  hydrate(<App page={page} />, root)

  effect(() => {
    const { language, direction } = checkout.checkout.value
    document.title = screenTitle(screen.value, checkout.checkout.value)
    html.lang = intlLanguage(language)
    html.dir = direction
  })

  effect(() => {
    if (checkout.cvcResets.value > 0) form.clearSecurityCodes()
  })

  effect(() => {
    // The screens after the form need strings that the document of a form lacks.
    if (form.touched.value && connection.value === 'open') {
      untracked(() => void checkout.prepare())
    }
  })

  effect(() => {
    void load(chunksFor(page))
  })

  async function load(names: ReturnType<typeof chunksFor>): Promise<void> {
    try {
      await loadChunks(names)
      if (notice.value === CHUNK_MISSING && connection.value === 'open') notice.value = null
    } catch {
      if (checkout.step.value === 'form') notice.value = CHUNK_MISSING
      clearTimeout(retry)
      retry = setTimeout(() => load(chunksFor(page)), RETRY_MS)
    }
  }
}
