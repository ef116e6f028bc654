import { computed, signal } from '@preact/signals'
import type { CheckoutResult, CheckoutView, PageModel, PageView } from '../../shared/page-model.ts'
import type { Milestones } from './milestones.ts'
import { screenFor, type PageStep } from './screen.ts'
import { knownId, type MessageDescriptor } from './translator.ts'

/** The message above the form. */
export interface Notice extends MessageDescriptor {
  tone: 'problem' | 'news'
}

/** FAILED: the method is still saved, and the payer may try again. */
export type RemovalStep = 'SAVED' | 'ASKING' | 'REMOVING' | 'FAILED' | 'REMOVED'

export type Store = ReturnType<typeof createStore>

/** The state of a checkout. Components read it; `checkout.ts` and its modules write it. */
export function createStore(model: PageModel) {
  const checkout = signal<CheckoutView>(model.checkout)
  const step = signal<PageStep>(model.view.toLowerCase() as Lowercase<PageView>)
  return {
    model,
    checkout,
    step,
    screen: computed(() => screenFor(step.value, checkout.value)),
    notice: signal<Notice | null>(firstNotice(model)),
    /** Announced by screen readers only. */
    announcement: signal<MessageDescriptor | null>(null),
    /** The result of the payment that this page has just made; null on a page opened again. */
    completed: signal<CheckoutResult | null>(null),
    /** The script runs. */
    hydrated: signal(false),
    connection: signal<'closed' | 'open' | 'failing'>('closed'),
    /** The page no longer polls by itself; the payer may ask again. */
    pollingStopped: signal(false),
    /** The submit takes unusually long. */
    slow: signal(false),
    /** The request member that the server refused last, as a dotted path. */
    refusedMember: signal<string | null>(null),
    removal: signal<RemovalStep>('SAVED'),
    /** Counts the events after which the security code must be entered again. */
    cvcResets: signal(0),
    /** Counts the requests to focus the reason why the form needs attention. */
    focusRequests: signal(0),
    milestones: {} as Milestones,
    /** The instance's clock minus the payer's, in milliseconds. */
    clockOffset: 0,
  }
}

/** The decline reason for a payer who returns from the bank, rendered before any script runs. */
function firstNotice(model: PageModel): Notice | null {
  if (model.notice === null) return null
  const id = knownId(model.checkout.strings, model.notice, 'errors.declined')
  return { tone: 'problem', id }
}
