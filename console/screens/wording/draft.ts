import { signal } from '@preact/signals'
import { boot } from '../../boot.ts'

/** Changes of wording that are not published. They stay in this browser, for each instance and user. */

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

interface Stored {
  /** The version of the wording that the first change was made on. */
  base: number | null
  changes: Change[]
}

export const EMPTY: Stored = { base: null, changes: [] }

const keyOf = (instance: string) => `cs.wording.${instance}.${boot.user.id}`

const drafts = signal<Readonly<Record<string, Stored>>>({})

function read(instance: string): Stored {
  const known = drafts.value[instance]
  if (known) return known
  try {
    const text = localStorage.getItem(keyOf(instance))
    return text === null ? EMPTY : (JSON.parse(text) as Stored)
  } catch {
    return EMPTY
  }
}

function write(instance: string, stored: Stored): void {
  drafts.value = { ...drafts.value, [instance]: stored }
  try {
    if (stored.changes.length === 0) localStorage.removeItem(keyOf(instance))
    else localStorage.setItem(keyOf(instance), JSON.stringify(stored))
  } catch {
    // Without storage the draft lasts as long as the screen.
  }
}

export const isSame = (one: Sentence, other: Sentence): boolean =>
  one.id === other.id && one.language === other.language && one.branding === other.branding

/** Returns the draft of an instance and what changes it. */
export function useDraft(instance: string) {
  const { base, changes } = read(instance)
  return {
    base,
    changes,
    /** Drafts a text; undefined drops what was drafted. `on` is what is published meanwhile. */
    set(
      sentence: Sentence,
      text: string | null | undefined,
      on: { version: number | null; was: string | null },
    ): void {
      // What is stored, so that several can be set before the screen is drawn again.
      const stored = read(instance)
      const before = stored.changes.find((change) => isSame(change, sentence))
      const others = stored.changes.filter((change) => change !== before)
      const was = before ? before.was : on.was
      const next = text === undefined ? others : [...others, { ...sentence, text, was }]
      write(instance, {
        base: next.length === 0 ? null : (stored.base ?? on.version),
        changes: next,
      })
    },
    /** Drops what was published, but for what has been changed again since. */
    drop(published: readonly Change[]): void {
      const find = (change: Change) => published.find((one) => isSame(one, change))
      const next = read(instance).changes.flatMap((change) => {
        const done = find(change)
        if (!done) return [change]
        return done.text === change.text ? [] : [{ ...change, was: done.text }]
      })
      write(instance, { base: null, changes: next })
    },
    clear: () => write(instance, EMPTY),
  }
}

export type Draft = ReturnType<typeof useDraft>
