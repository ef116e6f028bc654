import { hydrate, render } from 'preact'
import { intlLanguage } from '../../shared/rules/wording.ts'
import { App } from './App.tsx'
import type { PageContext } from './context.ts'
import { faceOf } from './face.ts'
import { inputId } from './fields.ts'
import { effect } from './signal.ts'
import { inOrder } from './submission.ts'
import { titleOf } from './title.ts'

/** Draws the page over what the server drew, and again whenever the state has changed. */
export function keepDrawn(root: HTMLElement, page: PageContext): void {
  const { checkout, form } = page
  const { documentElement: html } = document
  let draw = hydrate
  let shown = faceOf(checkout)
  let attended = 0

  effect(() => {
    form.forgetCode()
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

  /** A new face takes the focus along, so that nobody is left on a button that is gone. */
  function toHeading(): void {
    scrollTo(0, 0)
    if (faceOf(checkout) === 'FORM' && checkout.notice.value !== null) toReason()
    else root.querySelector<HTMLElement>('h1')?.focus()
  }

  /** Whatever sends the payer back to the form, the focus goes to where the reason stands. */
  function toReason(): void {
    const [first] = inOrder(form.errors.value)
    const place = first ? inputId(first) : checkout.notice.value === null ? null : 'notice'
    if (place) document.getElementById(place)?.focus()
  }
}
