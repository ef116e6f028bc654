import type { CheckoutView, PageModel } from './page-model.ts'
import type { Strings } from './rules/wording.ts'

/**
 * What the console and the frame of its preview tell each other. Both have the same origin, and each
 * takes messages of the other's window only.
 */

/** What the frame draws. */
export interface PreviewDrawing {
  /** The name of a scene. */
  scene: string
  strings: Strings
  language: string
  direction: 'ltr' | 'rtl'
  merchant: string
  /** ISO 4217 code. */
  currency: string
  /** The style of the theme; empty for the default one. */
  css: string
  scheme: 'light' | 'dark'
  /** What replaces the link of the scene. */
  link?: {
    terms: Partial<CheckoutView['terms']>
    save_card: CheckoutView['save_card']
    prefill: CheckoutView['details']['prefill']
  }
  /** A page in the place of the scene, such as one that a payer saw. */
  page?: PageModel
  /** The ids in whose order sentences are marked; empty where sentences are not to be chosen. */
  marked: readonly string[]
  /** The id of the sentence that is chosen. */
  chosen: string | null
  /** The ids that are the merchant's own. */
  own: readonly string[]
  /** The ids that may no longer say what they should. */
  stale: readonly string[]
}

export type ToPreview =
  | { type: 'draw'; drawing: PreviewDrawing }
  /** Asks in which scenes each sentence is. */
  | { type: 'find'; ids: readonly string[] }

export type SceneGroup = 'form' | 'wrong' | 'paying' | 'after' | 'closed'

/** A state of the page. */
export interface SceneName {
  name: string
  group: SceneGroup
}

/** `seen` is false for what only screen readers read, and for the title of the document. */
export interface PlacedSentence {
  id: string
  seen: boolean
}

/** How a sentence fits into its place. `cut` if a part of it cannot be seen. */
export interface SentenceFit {
  lines: number
  cut: boolean
}

export type FromPreview =
  | { type: 'ready'; scenes: SceneName[] }
  /** In reading order, each id once. `fit` is that of the chosen sentence; null where it is not seen. */
  | { type: 'drawn'; sentences: PlacedSentence[]; title: string; fit: SentenceFit | null }
  | { type: 'chosen'; id: string }
  /** The names of the scenes that each id is in. */
  | { type: 'found'; scenes: Readonly<Record<string, readonly string[]>> }
