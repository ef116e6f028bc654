import { renderToString } from 'preact-render-to-string'
import type { PageModel } from '../../shared/page-model.ts'
import { App } from './App.tsx'
import { createCheckout, type Surroundings } from './checkout.ts'
import { faceOf } from './face.ts'
import { createForm } from './form.ts'
import { loadEveryPart } from './load-parts.ts'
import { type PartName, partsFor } from './parts.ts'
import { titleOf } from './title.ts'

/** On the server nothing happens yet: the page is drawn, and the browser brings it to life. */
const NOWHERE: Surroundings = {
  fetch: () => Promise.reject(new Error('the server does not call itself')),
  later: () => () => {},
  tokens: { read: () => null, write: () => {} },
  newKey: () => '',
  now: () => 0,
  go: () => {},
}

await loadEveryPart()

/** What the server writes into the document for the first view of a link (contract section 7.1). */
export interface RenderedView {
  title: string
  /** The HTML inside the page's root element. */
  body: string
  /** The parts that the page's script will ask for at once. */
  parts: PartName[]
}

export function renderPage(model: PageModel): RenderedView {
  const checkout = createCheckout(model, NOWHERE)
  const page = { checkout, form: createForm(checkout), submit: () => {} }
  return {
    title: titleOf(model.checkout, faceOf(checkout)),
    body: renderToString(<App {...page} />),
    parts: partsFor(page),
  }
}
