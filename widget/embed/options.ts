import type { FrameMessages } from '../../shared/embed-messages.ts'

/** What a merchant's page says about a checkout that it embeds (contract section 18). */
export interface CheckoutOptions {
  /** The `url` of a payment link; its id will do where the script came from Checkstand itself. */
  link: string
  /** Two letters; the payer's own language when left out. */
  language?: string | undefined
  /** The key of one of the instance's brandings. */
  branding?: string | undefined
  /** The form can be used. */
  onReady?: Listener<FrameMessages['ready']> | undefined
  /** The content has another height, in CSS pixels. */
  onResize?: Listener<FrameMessages['resize']> | undefined
  onStatus?: Listener<FrameMessages['status']> | undefined
  /** The payer goes to the bank. `preventDefault()` keeps this window where it is. */
  onAction?: Listener<FrameMessages['action']> | undefined
  /** The payer paid, or the bank has it now. `preventDefault()` keeps this window where it is. */
  onComplete?: Listener<FrameMessages['complete']> | undefined
  /** It was closed; a payment under way goes on. */
  onClose?: Listener<null> | undefined
  onError?: Listener<CheckoutError> | undefined
}

export interface CheckoutError {
  /** NOT_FRAMED: the page refuses to be framed here, or did not come up. A link stands in for it. */
  code: FrameMessages['error']['code'] | 'NOT_FRAMED'
}

/** What listeners get; the same happens on the element as `checkstand:ready` and so on. */
export type CheckoutEvent<Detail> = CustomEvent<Detail>

type Listener<Detail> = (event: CheckoutEvent<Detail>) => void

/** A checkout in the page. */
export interface MountedCheckout {
  /** Closes it as the payer would: not while a payment is being made. */
  close: () => void
  /** Takes it out at once, whatever happens in it. A payment under way goes on. */
  destroy: () => void
  /** Changes options. Another link, language or branding loads the page again. */
  update: (changes: Partial<CheckoutOptions>) => void
}
