import type { CheckoutView, KnownStrings } from '../../shared/page-model.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import type { Bundle } from '../strings/bundle.ts'

/** Which wording travels with the document of a page, and which follows with its session. */

/**
 * Words that a form may need before its session is open. The session brings the others, so the
 * first view travels without those of what follows the press of the button.
 */
const AT_ONCE =
  /^(a11y|card|checkout|consent|details|methods)\.|^status\.(expired|fields|paying|reload|script|stay|unavailable)|^errors\.no_connection$/

/** These stand behind a summary, and come into sight once the session has brought their words. */
const TEST_CARDS = /^checkout\.test_card_/
const ADDRESS = /^details\.(phone|line|city|post_code|country|region)/

/** Validation needs a chunk of the script, which the page loads together with these. */
const FIELD_ERRORS =
  /^((card|methods)\.\w+_(missing|incomplete|invalid|digits|far|month|past)|details\.email_invalid|status\.fields)/

/**
 * Those that few links need, and only where the first view already shows it. The session brings
 * them to every page, so what most forms need is cheaper when it travels with all of them.
 */
const ONLY_FOR: readonly (readonly [
  ids: RegExp,
  has: (checkout: CheckoutView, framable: boolean) => boolean,
])[] = [
  // Only the host page of a frame asks for these.
  [/^(a11y\.|status\.stay)/, (_checkout, framable) => framable],
  // A chat shows it, and the page itself does not.
  [/^checkout\.preview$/, () => false],
  // A receipt shows them.
  [/^methods\.(remove|not_removed|keep)/, () => false],
  [/^checkout\.amount(_|$)/, ({ terms }) => terms.amount === null || terms.amount_editable],
  [TEST_CARDS, () => false],
  [FIELD_ERRORS, () => false],
  [/^consent\.sentence/, ({ save_card }) => save_card.consent],
  [/^methods\.none/, ({ methods }) => methods.length === 0],
  [
    /^checkout\.reference_/,
    ({ terms }) => terms.alt_key_editable || terms.description_editable || terms.comment_allowed,
  ],
  [ADDRESS, ({ details: { prefill } }) => prefill.phone !== undefined || !!prefill.address],
  [/^methods\.(valid|ending|account)/, (checkout) => checkout.saved_methods.length > 0],
]

/**
 * Returns the wording that the document of a form carries. `notice` is the id of the sentence above
 * the form, or null.
 */
export function formStrings(
  checkout: CheckoutView,
  notice: string | null,
  framable: boolean,
): Strings {
  const unneeded = ONLY_FOR.filter(([, has]) => !has(checkout, framable)).map(([ids]) => ids)
  // A reason of the bank that has no wording is replaced by this one.
  const reasons = notice === null ? [] : [notice, 'errors.declined']
  return pick(
    checkout.strings,
    (id) => reasons.includes(id) || (AT_ONCE.test(id) && !unneeded.some((ids) => ids.test(id))),
  )
}

/**
 * Returns the wording of a session that a page still lacks. The page names the bundle it has by its
 * hash, and how much of it; any other bundle is sent whole, so a page never mixes two wordings.
 */
export function missingStrings(
  bundle: Bundle,
  page: { strings_hash?: string | undefined; known_strings?: KnownStrings | undefined },
): Strings {
  if (page.strings_hash !== bundle.hash || page.known_strings === undefined) return bundle.strings
  return page.known_strings === 'ALL' ? {} : stringsAfterForm(bundle)
}

/** What every form lacks is the same for each bundle, and every first visit asks for it. */
const afterForms = new WeakMap<Bundle, Strings>()

function stringsAfterForm(bundle: Bundle): Strings {
  const inEveryForm = (id: string) => AT_ONCE.test(id) && !ONLY_FOR.some(([ids]) => ids.test(id))
  const strings = afterForms.get(bundle) ?? pick(bundle.strings, (id) => !inEveryForm(id))
  afterForms.set(bundle, strings)
  return strings
}

function pick(strings: Strings, wanted: (id: string) => boolean): Strings {
  return Object.fromEntries(Object.entries(strings).filter(([id]) => wanted(id)))
}
