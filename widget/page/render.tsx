import { renderToString } from 'preact-render-to-string'
import type { PageModel } from '../../shared/page-model.ts'
import { App } from './App.tsx'
import { createCheckout } from './checkout.ts'
import type { Surroundings } from './checkout.ts'
import { faceOf } from './face.ts'
import { createForm } from './form.ts'
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

/** The HTML inside the page's root element, for the first view of a link (contract section 7.1). */
export function renderPage(model: PageModel): string {
  const checkout = createCheckout(model, NOWHERE)
  return renderToString(<App checkout={checkout} form={createForm(checkout)} now={() => 0} />)
}

/** The title of the document. */
export function pageTitle(model: PageModel): string {
  return titleOf(model.checkout, faceOf(createCheckout(model, NOWHERE)))
}
