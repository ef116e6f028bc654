import { createDialog } from './dialog.ts'
import { createFrame } from './frame.ts'
import type { CheckoutOptions, MountedCheckout } from './options.ts'
import { STYLE } from './style.ts'

/** Payment pages, for links that are given by their id; unknown inside the merchant's own bundle. */
let base: string | undefined

/** Tells from which address `widget.js` or `widget/v….js` was loaded. */
export function loadedFrom(address: string): void {
  base = `${address.slice(0, address.lastIndexOf('/widget'))}/pay/`
}

/** Shows a checkout inside an element, or inside the first that a selector finds. */
export function mount(element: Element | string, options: CheckoutOptions): MountedCheckout {
  const place = typeof element === 'string' ? document.querySelector(element) : element
  if (!place) throw new Error(`Checkstand: no element ${String(element)}`)
  return embed(place, options)
}

/** Opens a checkout over the page. Its events happen on `opener`, or on the body without one. */
export function open(options: CheckoutOptions, opener?: Element): MountedCheckout {
  const checkout = prepare(options, opener)
  checkout.show()
  return checkout
}

/** A checkout over the page that nobody sees until `show`. */
export interface PreparedCheckout extends MountedCheckout {
  show: () => void
}

/** Loads a checkout that may be shown over the page soon; no session opens before it is. */
export function prepare(options: CheckoutOptions, opener?: Element): PreparedCheckout {
  return embed(opener ?? document.body, options, true)
}

function embed(target: Element, given: CheckoutOptions, overlay?: boolean): PreparedCheckout {
  const options = { ...given }
  const place = overlay ? document.body : target
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const dialog = overlay ? createDialog(() => frame.ask()) : undefined
  const frame = createFrame({
    options,
    base,
    mode: overlay ? 'overlay' : 'inline',
    place,
    around: dialog?.box,
    emit,
    show(framed) {
      frame.element.hidden = !framed
      instead.hidden = framed
    },
    told({ type, detail }) {
      if (type === 'focus-edge') dialog?.button.focus()
      if (type === 'ready') dialog?.name(detail)
    },
    leave() {
      destroy()
      emit('close', {})
    },
  })

  /** Tells the merchant's page; false when it prevented what would follow. */
  function emit(type: string, detail: object): boolean {
    const name = `checkstand:${type}`
    const listener = options[`on${type[0]?.toUpperCase()}${type.slice(1)}` as 'onClose']
    // As a listener, so that one that throws breaks nothing here.
    target.addEventListener(name, listener as EventListener, { once: true })
    return target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, cancelable: true }))
  }

  function destroy(): void {
    frame.end()
    dialog?.hide()
    // What stood there before stands there again.
    if (host.parentNode) place.append(...host.childNodes)
    host.remove()
  }

  if (root.adoptedStyleSheets) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
  }
  // Where the page cannot be framed, the link that the merchant put there is shown, else a plain one.
  const instead = !overlay && place.querySelector('a') ? document.createElement('slot') : frame.link
  if (!overlay) host.append(...place.childNodes)
  instead.hidden = true
  if (dialog) root.append(dialog.box)
  ;(dialog?.box ?? root).append(frame.element, instead)
  frame.load()
  place.append(host)
  return {
    close: frame.ask,
    destroy,
    update(changes) {
      const { link, language, branding } = options
      Object.assign(options, changes)
      if (link === options.link && language === options.language && branding === options.branding)
        frame.dress()
      else frame.load()
    },
    show() {
      dialog?.show()
      frame.reveal()
    },
  }
}
