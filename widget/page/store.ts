import type { CheckoutResult, CheckoutView, PageModel, PageView } from '../../shared/page-model.ts'
import type { Milestones } from './milestones.ts'
import { signal } from './signal.ts'
import { knownId, type Words } from './translator.ts'

/**
 * editing: the payer has the word. paying: a submit is under way. unsure: nobody knows what became
 * of the money, so nothing may be said about it and nothing may be paid. leaving: on the way to
 * the bank or the merchant. done: the outcome is known, or the bank is completing it.
 */
export type Phase = 'editing' | 'paying' | 'unsure' | 'leaving' | 'done'

/** What stands above the form. */
export interface Notice extends Words {
  tone: 'problem' | 'news'
}

/** FAILED: the method is still there, and the payer may try again. */
export type Removal = 'SAVED' | 'ASKING' | 'REMOVING' | 'FAILED' | 'REMOVED'

/** Where the payer is being taken. */
export interface Leaving {
  url: string
  to: 'MERCHANT' | 'BANK'
  /** The bank's page may take this one's place inside a frame. */
  in_frame?: boolean | undefined
}

export type State = ReturnType<typeof createState>

/** Everything that the page draws, as signals; only `checkout.ts` and its parts change them. */
export function createState(model: PageModel) {
  return {
    model,
    checkout: signal<CheckoutView>(model.checkout),
    view: signal<PageView>(model.view),
    phase: signal<Phase>(model.view === 'RESULT' ? 'done' : 'editing'),
    notice: signal<Notice | null>(firstNotice(model)),
    /** For screen readers only: what is visible announces itself. */
    whisper: signal<Words | null>(null),
    leaving: signal<Leaving | null>(null),
    /** What this payer has just reached here; a page that was opened again reached nothing. */
    reached: signal<CheckoutResult | null>(null),
    /** The script runs; a reader without it is told so by what this hides. */
    ready: signal(false),
    connection: signal<'closed' | 'open' | 'failing'>('closed'),
    /** The page stopped asking by itself; the payer may ask again. */
    tired: signal(false),
    /** The answer takes longer than people expect. */
    slow: signal(false),
    /** The member that the server refused last, in dotted form. */
    refusedMember: signal<string | null>(null),
    /** How far the removal of the method is that this session saved. */
    removal: signal<Removal>('SAVED'),
    /** Counts the moments after which the security code must be typed again. */
    setbacks: signal(0),
    /** How far the payer came; the server hears it with whatever it is asked next. */
    milestones: {} as Milestones,
    /** How far the clock of the instance is ahead of the payer's, in milliseconds. */
    ahead: 0,
    /** Counts the moments at which the form needs the payer's eyes: the focus follows. */
    attention: signal(0),
  }
}

/** A payer who comes back from a bank's page is told why, before any script runs. */
function firstNotice(model: PageModel): Notice | null {
  if (model.notice === null) return null
  const id = knownId(model.checkout.strings, model.notice, 'errors.declined')
  return { tone: 'problem', id }
}
