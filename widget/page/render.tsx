import { renderToString } from 'preact-render-to-string'
import type { PageModel } from '../../shared/page-model.ts'
import { App } from './components/App.tsx'
import { createCheckout, type Environment } from './checkout.ts'
import { faceOf } from './screen.ts'
import { createForm } from './form.ts'
import { loadAllChunks } from './load-chunks.ts'
import { type ChunkName, chunksFor } from './chunks.ts'
import { titleOf } from './title.ts'

/** On the server nothing happens yet: the page is drawn, and the browser brings it to life. */
const NOWHERE: Environment = {
  fetch: () => Promise.reject(new Error('the server does not call itself')),
  later: () => () => {},
  tokens: { read: () => null, write: () => {} },
  newKey: () => '',
  now: () => 0,
  go: () => {},
}

await loadAllChunks()

/** What the server writes into the document for the first view of a link (contract section 7.1). */
export interface RenderedView {
  title: string
  /** The HTML inside the page's root element. */
  body: string
  /** The parts that the page's script will ask for at once. */
  parts: ChunkName[]
}

export function renderPage(model: PageModel): RenderedView {
  const checkout = createCheckout(model, NOWHERE)
  const page = { checkout, form: createForm(checkout), submit: () => {} }
  return {
    title: titleOf(model.checkout, faceOf(checkout)),
    body: renderToString(<App {...page} />),
    parts: chunksFor(page),
  }
}
