/** The forms of our ids (contract section 1). Ids are case-sensitive and matched whole. */

const TIMED = ['acc', 'cg', 'pay', 'ca', 'tr', 'ref', 'co', 'vo', 'pm', 'ses', 'ck', 'wh', 'evt']
  .concat(['dlv', 'le', 'wf', 'pr', 'rv'])
  .join('|')
const ANY_ID = new RegExp(`^(?:(?:${TIMED})_[0-9]+_[0-9a-z]+|pl_[0-9A-Za-z]+_[0-9A-Za-z-]+)$`)

export const ACCOUNT_ID = /^acc_[0-9]+_[0-9a-z]+$/
export const CHECKOUT_ID = /^ck_[0-9]+_[0-9a-z]+$/
export const CHARGE_ID = /^cg_[0-9]+_[0-9a-z]+$/
export const CONTRACT_ID = /^co_[0-9]+_[0-9a-z]+$/
export const PAYMENT_METHOD_ID = /^pm_[0-9]+_[0-9a-z]+$/
export const EVENT_ID = /^evt_[0-9]+_[0-9a-z]+$/
export const WEBHOOK_ID = /^wh_[0-9]+_[0-9a-z]+$/
export const PAYMENT_LINK_ID = /^pl_[0-9A-Za-z]+_[0-9A-Za-z-]+$/

/**
 * Whether a text could be one of our ids. Keys that a merchant chooses may not look like one, so
 * that a path value is never both.
 */
export function looksLikeId(text: string): boolean {
  return ANY_ID.test(text)
}
