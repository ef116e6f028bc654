import type { CheckoutView, KnownStrings } from '../../shared/page-model.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import type { Bundle } from '../strings/bundle.ts'

/** Strings that a form may need before its session is open. The session brings the others. */
const IN_FORM =
  /^(a11y|card|checkout|consent|details|methods)\.|^status\.(expired|fields|settled|reload|script|stay|unavailable)|^errors\.no_connection$/

/** Behind a summary, which opens only after the session has brought the strings. */
const TEST_CARDS = /^checkout\.test_card_/
const ADDRESS = /^details\.(phone|line|city|post_code|country|region)/

/** Validation needs a chunk of the script, which the page loads together with these. */
const FIELD_ERRORS =
  /^((card|methods)\.\w+_(missing|incomplete|invalid|digits|far|month|past)|details\.\w+_(invalid|missing)|status\.fields)/

/** Strings of `IN_FORM` that a form's document carries only under a condition. */
const CONDITIONAL: readonly (readonly [
  ids: RegExp,
  isNeeded: (checkout: CheckoutView, framable: boolean) => boolean,
])[] = [
  // Only framed pages need these.
  [/^(a11y\.|status\.stay)/, (_checkout, framable) => framable],
  // Shown by link previews only.
  [/^checkout\.preview$/, () => false],
  // Shown by receipts only.
  [/^methods\.(remove|not_removed|keep)/, () => false],
  [/^checkout\.legal_/, ({ legal_entity }) => legal_entity !== undefined],
  [/^checkout\.amount(_|$)/, ({ terms }) => terms.amount === null || terms.amount_editable],
  [/^checkout\.(amount_(between|least|most)|own_amount|quantity)/, ({ terms }) => !!terms.choice],
  [TEST_CARDS, () => false],
  [FIELD_ERRORS, () => false],
  [
    /^(checkout\.recurring|consent\.(chosen|every|recurring))/,
    ({ terms }) => terms.recurring !== undefined,
  ],
  // They stand in the place of others.
  [/^checkout\.trial_(begin|merchant)/, () => false],
  [/^(checkout|consent)\.trial_/, ({ terms }) => terms.recurring?.trial_days !== undefined],
  [/^(checkout\.charges|status\.settled)/, ({ terms }) => terms.charges !== undefined],
  [/^consent\.sentence/, ({ save_card }) => save_card.consent],
  // Without a time to expire, the page ends only as unavailable.
  [/^status\.expired/, ({ terms }) => terms.expires !== null],
  [/^methods\.fields_/, ({ methods }) => methods.some(({ fields }) => fields === 'FRAMES')],
  ...['IDEAL', 'BANCONTACT', 'EPS', 'PRZELEWY'].map(
    (type) =>
      [
        new RegExp(`^methods\\.${type.toLowerCase()}$`),
        ({ methods }: CheckoutView) => methods.some((method) => method.type === type),
      ] as const,
  ),
  [
    /^methods\.sepa_/,
    ({ methods }) =>
      methods.some(({ type, processor }) => type === 'DIRECT_DEBIT' && processor !== 'sandbox'),
  ],
  [/^methods\.none/, ({ methods }) => methods.length === 0],
  [
    /^checkout\.reference_/,
    ({ terms }) => terms.alt_key_editable || terms.description_editable || terms.comment_allowed,
  ],
  [ADDRESS, ({ details: { prefill } }) => prefill.phone !== undefined || !!prefill.address],
  [/^methods\.(valid|ending|account)/, (checkout) => checkout.saved_methods.length > 0],
]

/**
 * Returns the strings for a form's document. `notice` is the id of the notice above the form, and
 * `framable` whether the page may be framed.
 */
export function formStrings(
  checkout: CheckoutView,
  notice: string | null,
  framable: boolean,
): Strings {
  const unneeded = CONDITIONAL.filter(([, isNeeded]) => !isNeeded(checkout, framable)).map(
    ([ids]) => ids,
  )
  // `errors.declined` is the fallback for a decline reason without a string.
  const reasons = notice === null ? [] : [notice, 'errors.declined']
  return pick(
    checkout.strings,
    (id) => reasons.includes(id) || (IN_FORM.test(id) && !unneeded.some((ids) => ids.test(id))),
  )
}

/**
 * Returns the strings of a session's bundle that a page lacks. The page sends the hash of its bundle
 * and which part it has. A different bundle is returned whole, so that a page never mixes two.
 */
export function missingStrings(
  bundle: Bundle,
  page: { strings_hash?: string | undefined; known_strings?: KnownStrings | undefined },
): Strings {
  if (page.strings_hash !== bundle.hash || page.known_strings === undefined) return bundle.strings
  return page.known_strings === 'ALL' ? {} : stringsAfterForm(bundle)
}

const afterForms = new WeakMap<Bundle, Strings>()

function stringsAfterForm(bundle: Bundle): Strings {
  const inEveryForm = (id: string) => IN_FORM.test(id) && !CONDITIONAL.some(([ids]) => ids.test(id))
  const strings = afterForms.get(bundle) ?? pick(bundle.strings, (id) => !inEveryForm(id))
  afterForms.set(bundle, strings)
  return strings
}

function pick(strings: Strings, isPicked: (id: string) => boolean): Strings {
  return Object.fromEntries(Object.entries(strings).filter(([id]) => isPicked(id)))
}
