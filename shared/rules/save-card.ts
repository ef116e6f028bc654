/**
 * When a payment method is saved, what the payer is asked, and which methods are offered.
 *
 * One table for the page that draws the choice and the server that obeys it (contract section 8).
 */

/** The members of a link's options that decide about saving; null means unset. */
export interface SaveCardOptions {
  save_card?: boolean | null
  default_save_card?: boolean | null
  hide_save_card_toggle?: boolean | null
}

/** What a method can do, as its processor declares. */
export interface MethodTraits {
  /** Can be kept for another payment. */
  storable: boolean
  /** Can only be used by first storing a token. */
  token_first: boolean
}

/** What the page draws about saving. */
export interface SaveCardView {
  /** The checkbox is visible. */
  show: boolean
  /** Its state when the page opens. */
  initial: boolean
  /** No checkbox, but saving will happen: the consent sentence must be read instead. */
  consent: boolean
}

/** What the payer sees before choosing a method (table rows 1 to 6). */
export function saveCardView(options: SaveCardOptions): SaveCardView {
  if (options.save_card === true) return { show: false, initial: true, consent: true }
  if (options.save_card === false) return { show: false, initial: false, consent: false }
  const initial = options.default_save_card === true
  if (options.hide_save_card_toggle === true) return { show: false, initial, consent: initial }
  return { show: true, initial, consent: false }
}

/** How the choice is drawn once a method is chosen (rows 7 and 8 on top of 1 to 6). */
export interface SaveChoice extends SaveCardView {
  /** The checkbox cannot be changed, because this method cannot be used without storing it. */
  locked: boolean
}

/** The choice for a new method of the given traits; undefined traits mean an already saved one. */
export function saveChoice(view: SaveCardView, method: MethodTraits | undefined): SaveChoice {
  const nothing = { show: false, initial: false, consent: false, locked: false }
  if (method === undefined || !method.storable) return nothing
  if (method.token_first && !view.consent) {
    return { show: true, initial: true, consent: false, locked: true }
  }
  return { ...view, locked: false }
}

/** Whether a method may be offered at all under these options. */
export function methodOffered(options: SaveCardOptions, method: MethodTraits): boolean {
  // "Always saved" is a promise that a method which cannot be stored would break.
  if (options.save_card === true) return method.storable
  if (options.save_card === false) return !method.token_first
  return true
}

/** What the server does with a new method after success. */
export type SaveDecision =
  | { ok: true; save: boolean; reusable: boolean }
  | { ok: false; reason: 'NOT_OFFERED' | 'METHOD_WITHDRAWN' | 'METHOD_NOT_STORABLE' }

/**
 * Decides from the link's options, the method and what the browser sent, whether the method is
 * saved and whether it may be offered again. A browser that asks for what the page did not offer
 * is refused, never obeyed and never ignored.
 */
export function saveDecision(
  options: SaveCardOptions,
  method: MethodTraits,
  asked: boolean | undefined,
): SaveDecision {
  if (!methodOffered(options, method)) return { ok: false, reason: 'METHOD_WITHDRAWN' }
  const view = saveCardView(options)
  if (asked === true && !method.storable) return { ok: false, reason: 'METHOD_NOT_STORABLE' }
  if (asked === true && !view.show && !view.consent && !method.token_first) {
    return { ok: false, reason: 'NOT_OFFERED' }
  }
  if (!method.storable) return { ok: true, save: false, reusable: false }
  if (view.consent) return { ok: true, save: true, reusable: true }
  // Storing is the price of using such a method; offering it again needs the merchant's default.
  if (method.token_first) return { ok: true, save: true, reusable: view.initial }
  const save = view.show && asked === true
  return { ok: true, save, reusable: save }
}
