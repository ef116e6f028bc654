import type { Completion, FrameMessages, FrameStatus } from '../../shared/embed-messages.ts'

/** What a merchant's page says about a checkout that it embeds. */
export interface CheckoutOptions {
  /** The `url` of a payment link; its id alone will do where the script was loaded from Checkstand. */
  link: string
  /** Two letters; the payer's own language when left out. */
  language?: string | undefined
  /** The key of one of the instance's brandings. */
  branding?: string | undefined
  /** Follows the page around it when left out. */
  theme?: 'light' | 'dark' | undefined
  /** Words of the plain link that takes the frame's place where it cannot be shown. */
  label?: string | undefined
  /** The form can be used. */
  onReady?: Listener<FrameMessages['ready']> | undefined
  /** The content has another height, in CSS pixels. */
  onResize?: Listener<FrameMessages['resize']> | undefined
  onStatus?: Listener<{ status: FrameStatus }> | undefined
  /** The payer goes to their bank. With `preventDefault()` the window stays where it is. */
  onAction?: Listener<FrameMessages['action']> | undefined
  /** The payer has paid, or the bank has it now. `preventDefault()` keeps the payer on this page. */
  onComplete?: Listener<Completion> | undefined
  onClose?: Listener<object> | undefined
  onError?: Listener<CheckoutError> | undefined
}

export interface CheckoutError {
  /** NOT_FRAMED: the page did not come up in its frame, most likely because it refuses this origin. */
  code: FrameMessages['error']['code'] | 'NOT_FRAMED'
}

export type CheckoutEvent<Detail> = CustomEvent<Detail>

type Listener<Detail> = (event: CheckoutEvent<Detail>) => void

/** A checkout in the page. */
export interface MountedCheckout {
  /** Closes it as the payer would: not while a payment is being made. */
  close: () => void
  /** Takes it out at once, whatever happens in it. A payment under way goes on. Twice is harmless. */
  destroy: () => void
  /** Changes options; another link, language or branding loads the page again. */
  update: (changes: Partial<CheckoutOptions>) => void
}
