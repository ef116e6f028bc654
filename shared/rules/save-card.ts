/**
 * When a payment method is saved, what the payer is asked, and which methods are offered. The page
 * and the server use this one table.
 */

/** The options of a link that control saving; null means unset. */
export interface SaveCardOptions {
  save_card?: boolean | null
  default_save_card?: boolean | null
  hide_save_card_toggle?: boolean | null
  /** Any value but null: the method is charged again, so it is saved. */
  recurring?: object | null
}

/** Capabilities of a method, as its processor declares them. */
export interface MethodTraits {
  /** Can be stored for another payment. */
  storable: boolean
  /** Can be used only after a token has been stored. */
  token_first: boolean
}

/** How the page presents saving. */
export interface SaveCardView {
  /** The checkbox is visible. */
  show: boolean
  /** Initial state of the checkbox. */
  initial: boolean
  /** No checkbox, but the method is saved: the consent text is shown instead. */
  consent: boolean
}

/** Returns what the payer sees before choosing a method. */
export function saveCardView(options: SaveCardOptions): SaveCardView {
  if (isAlwaysSaved(options)) return { show: false, initial: true, consent: true }
  if (options.save_card === false) return { show: false, initial: false, consent: false }
  const initial = options.default_save_card === true
  if (options.hide_save_card_toggle === true) return { show: false, initial, consent: initial }
  return { show: true, initial, consent: false }
}

function isAlwaysSaved({ save_card, recurring }: SaveCardOptions): boolean {
  return save_card === true || recurring != null
}

/** What the payer sees once a method is chosen. */
export interface SaveChoice extends SaveCardView {
  /** The checkbox cannot be changed, because the method cannot be used without storing it. */
  locked: boolean
}

/** Returns the choice for a new method; undefined traits mean a saved one. */
export function saveChoice(view: SaveCardView, method: MethodTraits | undefined): SaveChoice {
  const nothing = { show: false, initial: false, consent: false, locked: false }
  if (method === undefined || !method.storable) return nothing
  if (method.token_first && !view.consent) {
    return { show: true, initial: true, consent: false, locked: true }
  }
  return { ...view, locked: false }
}

/** Returns whether a method is offered under these options. */
export function isMethodOffered(options: SaveCardOptions, method: MethodTraits): boolean {
  // A method that cannot be stored cannot be "always saved".
  if (isAlwaysSaved(options)) return method.storable
  if (options.save_card === false) return !method.token_first
  return true
}

/** What the server does with a new method after success. */
export type SaveDecision =
  | { ok: true; save: boolean; reusable: boolean }
  | { ok: false; reason: 'NOT_OFFERED' | 'METHOD_WITHDRAWN' | 'METHOD_NOT_STORABLE' }

/**
 * Decides from the options of the link, the method and the request whether the method is saved and
 * whether it may be offered again. A request for a choice that the page did not offer is rejected.
 */
export function saveDecision(
  options: SaveCardOptions,
  method: MethodTraits,
  requested: boolean | undefined,
): SaveDecision {
  if (!isMethodOffered(options, method)) return { ok: false, reason: 'METHOD_WITHDRAWN' }
  const view = saveCardView(options)
  if (requested === true && !method.storable) return { ok: false, reason: 'METHOD_NOT_STORABLE' }
  if (requested === true && !view.show && !view.consent && !method.token_first) {
    return { ok: false, reason: 'NOT_OFFERED' }
  }
  if (!method.storable) return { ok: true, save: false, reusable: false }
  if (view.consent) return { ok: true, save: true, reusable: true }
  // Such a method must be stored to be used; offering it again requires the merchant's default.
  if (method.token_first) return { ok: true, save: true, reusable: view.initial }
  const save = view.show && requested === true
  return { ok: true, save, reusable: save }
}
