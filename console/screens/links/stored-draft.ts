import { boot } from '../../boot.ts'
import { emptyDraft, type LinkDraft } from './link-draft.ts'

/** The draft of a new link, which stays in this browser until it is created or discarded. */

// Users of one browser have drafts of their own.
const key = (instance: string) => `cs.link.${boot.user.id}.${instance}`

/** Returns the stored draft, else an empty one. A draft of an earlier release gets the members it lacks. */
export function readDraft(instance: string, currency: string): LinkDraft {
  const empty = emptyDraft(currency)
  try {
    const text = localStorage.getItem(key(instance))
    return text === null ? empty : { ...empty, ...(JSON.parse(text) as LinkDraft) }
  } catch {
    return empty
  }
}

export const storeDraft = (instance: string, draft: LinkDraft): void =>
  localStorage.setItem(key(instance), JSON.stringify(draft))

export const forgetDraft = (instance: string): void => localStorage.removeItem(key(instance))
