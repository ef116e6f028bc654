import type { PageContext } from './page-context.ts'
import { faceOf } from './screen.ts'
import type * as Address from './chunks/address.ts'
import type * as Afterwards from './chunks/result.ts'
import type * as Debit from './chunks/direct-debit.ts'
import type * as Pay from './chunks/pay.ts'
import type * as Removal from './chunks/remove-saved.ts'
import type * as Saved from './chunks/saved-methods.ts'
import type * as Terms from './chunks/terms.ts'
import type * as Trials from './chunks/test-cards.ts'
import { signal } from './signal.ts'

/**
 * Parts of the page that not every payer needs. The server has them all; a browser is sent along
 * with the page what its first view needs, and fetches the others when they come into sight.
 */
export interface Chunks {
  /** What stands in place of the form: receipts, waits, and the ends of a link. */
  result: typeof Afterwards
  /** Checks what was typed, and pays. */
  pay: typeof Pay
  /** What the link leaves to the payer: the amount, a reference, a comment. */
  terms: typeof Terms
  /** Phone and address. */
  address: typeof Address
  /** Methods that were saved before. */
  'saved-methods': typeof Saved
  /** The removal of a method that this session saved. */
  'remove-saved': typeof Removal
  /** Account number and holder. */
  'direct-debit': typeof Debit
  /** The sandbox's cards on a test instance. */
  'test-cards': typeof Trials
}

export type ChunkName = keyof Chunks

const here = signal<Partial<Chunks>>({})

/** A part, or undefined while it is on its way; the page is drawn again when it comes. */
export function chunk<Name extends ChunkName>(name: Name): Chunks[Name] | undefined {
  return here.value[name]
}

/** Puts a part that has arrived to use. */
export function registerChunk<Name extends ChunkName>(name: Name, module: Chunks[Name]): void {
  here.value = { ...here.value, [name]: module }
}

/** The parts that the page needs as it stands. */
export function chunksFor({ checkout, form }: Pick<PageContext, 'checkout' | 'form'>): ChunkName[] {
  const { terms, saved_methods } = checkout.checkout.value
  const face = faceOf(checkout)
  const begun = form.touched.value
  const needed: Record<ChunkName, boolean> = {
    // Both come while the payer types: nobody should wait for them in the end.
    pay: begun,
    result: face !== 'FORM' || begun,
    terms:
      terms.amount_editable ||
      terms.alt_key_editable ||
      terms.description_editable ||
      terms.comment_allowed,
    address: form.addressOpen.value,
    'saved-methods': face === 'FORM' && saved_methods.length > 0,
    // Once the payment is made, only what its own session saved is among them.
    'remove-saved': face === 'RECEIPT' && saved_methods.length > 0,
    'direct-debit': form.choice.value?.offered?.type === 'DIRECT_DEBIT',
    'test-cards': form.trialsOpen.value,
  }
  return (Object.keys(needed) as ChunkName[]).filter((name) => needed[name])
}
