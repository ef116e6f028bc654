import type { Strings } from './wording.ts'

/** Strings about a payment, and those that take their place where a free trial begins without one. */
const IN_PLACE: Readonly<Record<string, string>> = {
  'checkout.pay': 'checkout.trial_begin',
  'checkout.pay_unknown': 'checkout.trial_begin',
  'checkout.paying': 'checkout.trial_beginning',
  'checkout.pay_merchant': 'checkout.trial_merchant',
  'checkout.preview': 'checkout.trial_merchant',
  'receipt.title': 'receipt.trial_title',
  'receipt.thanks': 'receipt.trial_thanks',
  'receipt.next_due': 'receipt.first_due',
  'receipt.pending': 'status.trial_checking',
  'receipt.pending_title': 'status.trial_checking_title',
  'status.checking': 'status.trial_checking',
  'status.checking_title': 'status.trial_checking_title',
  'status.paying': 'checkout.trial_beginning',
  'status.unsure': 'status.trial_checking',
  'status.unsure_title': 'status.trial_checking_title',
}

/** Returns the strings of a page on which a free trial begins: sentences about a payment are about the trial. */
export function trialStrings(strings: Strings): Strings {
  const replaced = Object.entries(IN_PLACE).map(([id, other]) => [id, strings[other] ?? ''])
  return { ...strings, ...Object.fromEntries(replaced) }
}
