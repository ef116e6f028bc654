import { signal } from '@preact/signals'
import { boot } from '../../boot.ts'
import { type Change, isSame, type Sentence } from './sentence.ts'

/** Changes of wording that are not published. They stay in this browser, for each instance and user. */

interface Stored {
  /** The version of the wording that the first change was made on. */
  base: number | null
  changes: Change[]
}

export const EMPTY: Stored = { base: null, changes: [] }

const keyOf = (instance: string) => `cs.wording.${instance}.${boot.user.id}`

/** What was stored before each change, so that it can be undone, for as long as the tab is open. */
const undoable = signal<Readonly<Record<string, readonly { stored: Stored; of: string }[]>>>({})

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

/** Remembers what is stored before it changes. What is typed into one sentence is undone at once. */
function remember(instance: string, of: string): void {
  const before = undoable.value[instance] ?? []
  if (of !== '' && before.at(-1)?.of === of) return
  undoable.value = { ...undoable.value, [instance]: [...before, { stored: read(instance), of }] }
}

/** Returns the draft of an instance and what changes it. */
export function useDraft(instance: string) {
  const { base, changes } = read(instance)
  return {
    base,
    changes,
    /** Drafts a text. `on` is what is published meanwhile; the same text again drops what was drafted. */
    set(
      sentence: Sentence,
      text: string | null,
      on: { version: number | null; was: string | null },
    ): void {
      remember(instance, `${sentence.branding}|${sentence.language}|${sentence.id}`)
      // What is stored, so that several can be set before the screen is drawn again.
      const stored = read(instance)
      const before = stored.changes.find((change) => isSame(change, sentence))
      const others = stored.changes.filter((change) => change !== before)
      const was = before ? before.was : on.was
      const next = text === on.was ? others : [...others, { ...sentence, text, was }]
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
      // A draft of before would count as a change of what is published.
      undoable.value = { ...undoable.value, [instance]: [] }
      write(instance, { base: null, changes: next })
    },
    clear(): void {
      remember(instance, '')
      write(instance, EMPTY)
    },
    /** Takes back the last change; false if there is none. */
    undo(): boolean {
      const before = undoable.value[instance] ?? []
      const last = before.at(-1)
      if (!last) return false
      undoable.value = { ...undoable.value, [instance]: before.slice(0, -1) }
      write(instance, last.stored)
      return true
    },
  }
}

export type Draft = ReturnType<typeof useDraft>
