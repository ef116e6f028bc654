import type { Strings } from '../../shared/rules/wording.ts'

/** Strings that a task may need: no others of receipts, e-mails and payments. */
const ON_TASK_PAGE =
  /^(a11y|card|checkout|errors|methods|status|tasks)\.|^receipt\.(back|method|next_due)$|^details\.email(_invalid)?$|^consent\.every_/

/** Returns the strings of the page of a task. Its fields are those of a payment, but speak of what is saved. */
export function taskStrings(strings: Strings): Strings {
  return {
    ...Object.fromEntries(Object.entries(strings).filter(([name]) => ON_TASK_PAGE.test(name))),
    'methods.title': strings['receipt.method'] ?? '',
    'methods.direct_debit_note': strings['tasks.saved'] ?? '',
    'methods.sepa_mandate': strings['tasks.sepa_mandate'] ?? '',
  }
}
