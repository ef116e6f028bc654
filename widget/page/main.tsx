import type { PageModel } from '../../shared/page-model.ts'
import { createCheckout } from './checkout.ts'
import { chunk } from './chunks.ts'
import { FIELDS, inputId } from './fields.ts'
import { createForm } from './form.ts'
import type { Bridge } from './framed/bridge.ts'
// eslint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './page.css'
import { chunksFor, loadChunks } from './load-chunks.ts'
import { mount } from './mount.tsx'
import { createPage, type PayPage } from './page-context.ts'
import { keepServerText } from './server-text.ts'
import { createTokenStore } from './token-store.ts'

/** The entry point: brings the page that the server rendered to life. */
async function start(root: HTMLElement, model: PageModel): Promise<void> {
  const bridge = parent === window ? undefined : await loadBridge(model)
  const checkout = createCheckout(model, {
    fetch: (input, init) => fetch(input, init),
    setTimer: (act, ms) => {
      // Browsers store a delay in 32 bits and run a longer one at once.
      const timer = setTimeout(act, Math.min(ms, 2 ** 31 - 1))
      return () => clearTimeout(timer)
    },
    tokens: createTokenStore(() => sessionStorage),
    // Only code of the same chunk asks for a key.
    newAttemptKey: () => chunk('pay')!.newAttemptKey(),
    now: Date.now,
    navigate: (redirect) => (bridge ? bridge.navigate(redirect) : location.assign(redirect.url)),
    framed: bridge,
  })
  const page = createPage(checkout, createForm(checkout), () => void submit(page))
  await loadChunks(chunksFor(page))
  adoptInput(root, page)
  mount(root, page)
  addEventListener('pageshow', (event) => {
    if (event.persisted) void checkout.shownAgain()
  })
  addEventListener('online', () => checkout.checkNow())
  await bridge?.connect(checkout, root)
  void checkout.start()
}

async function loadBridge(model: PageModel): Promise<Bridge> {
  const bridge = await import('./framed/bridge.ts')
  return bridge.createBridge(model)
}

async function submit({ checkout, form }: PayPage): Promise<void> {
  const { step } = checkout
  // The payer agrees to what the button shows now, whatever a new session brings meanwhile.
  const confirmed = checkout.checkout.value
  form.touched.value = true
  if (step.value !== 'form') return
  // Usually both are loaded while the payer types.
  if (!chunk('pay') || checkout.lacksStrings()) {
    step.value = 'submitting'
    const ready = await loadChunks(['pay']).then(checkout.prepare, () => false)
    // Opening the session may have shown another screen.
    if (step.value !== 'submitting') return
    step.value = 'form'
    if (!ready) {
      checkout.notice.value = { tone: 'problem', id: 'errors.no_connection' }
      checkout.focusRequests.value += 1
      return
    }
  }
  await chunk('pay')?.submitPayment(checkout, form, confirmed)
}

/**
 * Takes over what the inputs hold, which wins over the model: the payer may have typed before the
 * script ran, and browsers restore fields after a reload.
 */
function adoptInput(root: HTMLElement, { checkout, form }: PayPage): void {
  const { terms, language } = checkout.checkout.value
  const textOf = (selector: string) => root.querySelector(selector)?.textContent
  keepServerText(language, textOf('.language option'))
  // A free trial has another price.
  if (checkout.step.value === 'form' && !terms.amount_editable && !terms.recurring?.trial_days) {
    keepServerText(terms.amount + terms.currency + language, textOf('.amount'))
  }
  for (const name of FIELDS) {
    const input = root.querySelector<HTMLInputElement | HTMLSelectElement>(`#${inputId(name)}`)
    if (input?.value) form.values[name].value = input.value
  }
  const method = root.querySelector<HTMLInputElement>('input[name=method]:checked')
  if (method) form.chosenKey.value = method.value
  const save = root.querySelector<HTMLInputElement>('#field-save-card')
  if (save && save.checked !== save.defaultChecked) form.saveCard.value = save.checked
}

const root = document.getElementById('checkout')
const model = document.getElementById('page-model')?.textContent
const begin = () => {
  if (root && model) void start(root, JSON.parse(model) as PageModel)
}
// The browser first draws what the server rendered, which a slow phone would otherwise show only after all of the script
// has run. A frame of a shop may be hidden yet, and draws nothing then.
if (parent === window) requestAnimationFrame(() => setTimeout(begin))
else begin()
