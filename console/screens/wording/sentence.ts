/** A sentence of the wording, and a change of it that is not published. */

/** `branding` is empty for the instance itself. */
export interface Sentence {
  branding: string
  language: string
  id: string
}

/** `text` is null to take the merchant's own text back. */
export interface Change extends Sentence {
  text: string | null
  /** The merchant's own text that was published when the change was begun; null for none. */
  was: string | null
}

/** Whether both are the same sentence in the same language and branding. */
export const isSame = (one: Sentence, other: Sentence): boolean =>
  one.id === other.id && one.language === other.language && one.branding === other.branding
