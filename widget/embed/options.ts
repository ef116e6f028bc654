import type { FrameMessages } from '../../shared/embed-messages.ts'

/** The options of an embedded checkout. */
export interface CheckoutOptions {
  /** The `url` of a payment link, or its id where the script is loaded from Checkstand. */
  link: string
  /** Two-letter code; by default the payer's own language. */
  language?: string | undefined
  /** The key of one of the instance's brandings. */
  branding?: string | undefined
  /** The form is ready for input. */
  onReady?: Listener<FrameMessages['ready']> | undefined
  /** The height of the content has changed, in CSS pixels. */
  onResize?: Listener<FrameMessages['resize']> | undefined
  onStatus?: Listener<FrameMessages['status']> | undefined
  /** The payer goes to the bank. `preventDefault()` prevents the navigation of this window. */
  onAction?: Listener<FrameMessages['action']> | undefined
  /** The payment succeeded or is pending. `preventDefault()` prevents the navigation of this window. */
  onComplete?: Listener<FrameMessages['complete']> | undefined
  /** The checkout was closed; a payment under way continues. */
  onClose?: Listener<null> | undefined
  onError?: Listener<CheckoutError> | undefined
}

export interface CheckoutError {
  /** NOT_FRAMED: the page may not be framed here or did not load. A link replaces it. */
  code: FrameMessages['error']['code'] | 'NOT_FRAMED'
}

/** Passed to listeners and dispatched on the element, as `checkstand:ready` and so on. */
export type CheckoutEvent<Detail> = CustomEvent<Detail>

type Listener<Detail> = (event: CheckoutEvent<Detail>) => void

/** An embedded checkout. */
export interface MountedCheckout {
  /** Closes it like the payer's own button, which does nothing while a payment is submitted. */
  close: () => void
  /** Removes it at once. A payment under way continues. */
  destroy: () => void
  /** Changes options. A change of link, language or branding reloads the page. */
  update: (changes: Partial<CheckoutOptions>) => void
}

/** A checkout over the page that is loaded and still hidden. */
export interface PreloadedCheckout extends MountedCheckout {
  /** Shows it, once. Its session begins then. */
  show: () => void
}
