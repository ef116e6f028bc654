import type { PageModel } from '../../shared/page-model.ts'
import type { Bridge } from './framed/bridge.ts'
import { type Checkout, createCheckout } from './checkout.ts'
import { mount } from './mount.tsx'
import { FIELDS, inputId } from './fields.ts'
import { createForm, type Form } from './form.ts'
// eslint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './page.css'
import { loadChunks } from './load-chunks.ts'
import { chunk, chunksFor } from './chunks.ts'
import { adoptWords } from './server-text.ts'
import { createTokenStore } from './token-store.ts'

/**
 * Brings the page that the server drew to life. The payer may have typed already, and browsers
 * fill fields in again after a reload: what stands in them counts, not what the server wrote.
 */
async function begin(root: HTMLElement, model: PageModel): Promise<void> {
  const bridge = parent === window ? undefined : await findBridge(model)
  const checkout = createCheckout(model, {
    fetch: (input, init) => fetch(input, init),
    later: (act, ms) => {
      // Browsers keep a delay in 32 bits, and run anything longer at once.
      const timer = setTimeout(act, Math.min(ms, 2 ** 31 - 1))
      return () => clearTimeout(timer)
    },
    tokens: createTokenStore(() => sessionStorage),
    // Whoever asks for a key is a part of that part.
    newKey: () => chunk('pay')!.newAttemptKey(),
    now: Date.now,
    go: (url, leaving) => (bridge ? bridge.go(url, leaving) : location.assign(url)),
    framed: bridge,
  })
  const form = createForm(checkout)
  const page = { checkout, form, submit: () => void pay() }
  await loadChunks(chunksFor(page))
  adopt(root, checkout, form)
  mount(root, page)
  addEventListener('pageshow', (event) => {
    if (event.persisted) void checkout.shownAgain()
  })
  addEventListener('online', () => checkout.checkNow())
  await bridge?.connect(checkout, root)
  void checkout.start()

  /** What paying needs has long come with the first thing typed, as a rule. */
  async function pay(): Promise<void> {
    form.touched.value = true
    try {
      await loadChunks(['pay'])
    } catch {
      checkout.notice.value = { tone: 'problem', id: 'errors.no_connection' }
      checkout.attention.value += 1
      return
    }
    await chunk('pay')?.submitPayment(page)
  }
}

/** What only a framed page needs: it speaks with the page around it. */
async function findBridge(model: PageModel): Promise<Bridge> {
  const { createBridge } = await import('./framed/bridge.ts')
  return createBridge(model)
}

function adopt(root: HTMLElement, { checkout, view }: Checkout, form: Form): void {
  const { terms, language } = checkout.value
  const written = (selector: string) => root.querySelector(selector)?.textContent
  adoptWords(language, written('.language option'))
  if (view.value === 'FORM' && !terms.amount_editable) {
    adoptWords(terms.amount + terms.currency + language, written('.amount'))
  }
  for (const name of FIELDS) {
    const input = root.querySelector<HTMLInputElement | HTMLSelectElement>(`#${inputId(name)}`)
    if (input && input.value !== '') form.values[name].value = input.value
  }
  const method = root.querySelector<HTMLInputElement>('input[name=method]:checked')
  if (method) form.picked.value = method.value
  const save = root.querySelector<HTMLInputElement>('#field-save-card')
  if (save && save.checked !== save.defaultChecked) form.wishToSave(save.checked)
  // A mark that failed before the script ran tells nobody any more; a drawing may have no width.
  const logo = root.querySelector<HTMLImageElement>('.logo')
  if (logo?.complete && logo.naturalWidth === 0) {
    logo.decode().catch(() => (form.logoBroken.value = true))
  }
}

const root = document.getElementById('checkout')
const model = document.getElementById('page-model')?.textContent
if (root && model) void begin(root, JSON.parse(model) as PageModel)
