import type { PageContext } from './context.ts'
import { faceOf } from './face.ts'
import type * as Address from './parts/address.ts'
import type * as Afterwards from './parts/afterwards.ts'
import type * as Debit from './parts/debit.ts'
import type * as Pay from './parts/pay.ts'
import type * as Removal from './parts/removal.ts'
import type * as Saved from './parts/saved.ts'
import type * as Terms from './parts/terms.ts'
import type * as Trials from './parts/trials.ts'
import { signal } from './signal.ts'

/**
 * Parts of the page that not every payer needs. The server has them all; a browser is sent along
 * with the page what its first view needs, and fetches the others when they come into sight.
 */
export interface Parts {
  /** What stands in place of the form: receipts, waits, and the ends of a link. */
  afterwards: typeof Afterwards
  /** Checks what was typed, and pays. */
  pay: typeof Pay
  /** What the link leaves to the payer: the amount, a reference, a comment. */
  terms: typeof Terms
  /** Phone and address. */
  address: typeof Address
  /** Methods that were saved before. */
  saved: typeof Saved
  /** The removal of a method that this session saved. */
  removal: typeof Removal
  /** Account number and holder. */
  debit: typeof Debit
  /** The sandbox's cards on a test instance. */
  trials: typeof Trials
}

export type PartName = keyof Parts

const here = signal<Partial<Parts>>({})

/** A part, or undefined while it is on its way; the page is drawn again when it comes. */
export function part<Name extends PartName>(name: Name): Parts[Name] | undefined {
  return here.value[name]
}

/** Puts a part that has arrived to use. */
export function install<Name extends PartName>(name: Name, module: Parts[Name]): void {
  here.value = { ...here.value, [name]: module }
}

/** The parts that the page needs as it stands. */
export function partsFor({ checkout, form }: Pick<PageContext, 'checkout' | 'form'>): PartName[] {
  const { terms, saved_methods } = checkout.checkout.value
  const face = faceOf(checkout)
  const begun = form.touched.value
  const needed: Record<PartName, boolean> = {
    // Both come while the payer types: nobody should wait for them in the end.
    pay: begun,
    afterwards: face !== 'FORM' || begun,
    terms:
      terms.amount_editable ||
      terms.alt_key_editable ||
      terms.description_editable ||
      terms.comment_allowed,
    address: form.addressOpen.value,
    saved: face === 'FORM' && saved_methods.length > 0,
    // Once the payment is made, only what its own session saved is among them.
    removal: face === 'RECEIPT' && saved_methods.length > 0,
    debit: form.choice.value?.offered?.type === 'DIRECT_DEBIT',
    trials: form.trialsOpen.value,
  }
  return (Object.keys(needed) as PartName[]).filter((name) => needed[name])
}
