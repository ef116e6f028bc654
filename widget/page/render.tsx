import { renderToString } from 'preact-render-to-string'
import type { PageModel } from '../../shared/page-model.ts'
import { createCheckout, type Environment } from './checkout.ts'
import type { ChunkName } from './chunks.ts'
import { App } from './components/App.tsx'
import { createForm } from './form.ts'
import { chunksFor, loadAllChunks } from './load-chunks.ts'
import { createPage } from './page-context.ts'
import { screenTitle } from './screen.ts'
import chargesCss from './style/charges.css?inline'
import choiceCss from './style/choice.css?inline'
import framedFieldsCss from './style/framed-fields.css?inline'
import entityCss from './style/entity.css?inline'
import resultCss from './style/result.css?inline'

/** Rendering runs no action, so nothing of this is used. */
const SERVER: Environment = {
  fetch: () => Promise.reject(new Error('the server sends no requests while it renders')),
  setTimer: () => () => {},
  tokens: { read: () => null, write: () => {} },
  newAttemptKey: () => '',
  now: () => 0,
  navigate: () => {},
}

await loadAllChunks()

export interface RenderedView {
  title: string
  /** The HTML inside the page's root element. */
  body: string
  /** The styles that the view needs besides the style sheet of every page. */
  css: string
  /** The chunks that the page's script loads at once. */
  chunks: ChunkName[]
}

/** Renders the first view of a link. */
export function renderCheckout(model: PageModel): RenderedView {
  const checkout = createCheckout(model, SERVER)
  const page = createPage(checkout, createForm(checkout), () => {})
  return {
    title: screenTitle(checkout.screen.value, model.checkout),
    body: renderToString(<App page={page} />),
    css:
      (checkout.screen.value.kind === 'form' ? '' : resultCss) +
      (model.checkout.legal_entity ? entityCss : '') +
      (model.checkout.terms.choice === undefined ? '' : choiceCss) +
      (model.checkout.terms.charges === undefined ? '' : chargesCss) +
      (model.processors === undefined ? '' : framedFieldsCss),
    chunks: chunksFor(page),
  }
}
