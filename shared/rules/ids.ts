/** The forms of ids, which are case-sensitive. */

const TIMED = ['acc', 'cg', 'pay', 'ca', 'tr', 'ref', 'co', 'vo', 'pm', 'ses', 'ck', 'wh', 'evt']
  .concat(['dlv', 'key', 'le', 'ler', 'wf', 'pr', 'rv', 'sr', 'og', 'aud', 'usr', 'uss', 'vw'])
  .join('|')
const ANY_ID = new RegExp(`^(?:(?:${TIMED})_[0-9]+_[0-9a-z]+|[dp]l_[0-9A-Za-z]+_[0-9A-Za-z-]+)$`)

export const ACCOUNT_ID = timedId('acc')
export const CAPTURE_ID = timedId('ca')
export const CHARGE_ID = timedId('cg')
export const CHECKOUT_ID = timedId('ck')
export const CONTRACT_ID = timedId('co')
export const DEEP_LINK_ID = /^dl_[0-9A-Za-z]+_[0-9A-Za-z]+$/
export const EVENT_ID = timedId('evt')
export const LEGAL_ENTITY_ID = timedId('le')
export const LEGAL_ENTITY_ROUTE_ID = timedId('ler')
export const OAUTH_GRANT_ID = timedId('og')
export const PAYMENT_ID = timedId('pay')
export const PAYMENT_METHOD_ID = timedId('pm')
export const PROCESSOR_ID = timedId('pr')
export const REFUND_ID = timedId('ref')
export const REVERSAL_ID = timedId('rv')
export const STRING_REVISION_ID = timedId('sr')
export const SECRET_KEY_ID = timedId('key')
export const USER_ID = timedId('usr')
export const USER_SESSION_ID = timedId('uss')
export const VIEW_ID = timedId('vw')
export const VOID_ID = timedId('vo')
export const WEBHOOK_ID = timedId('wh')
export const PAYMENT_LINK_ID = /^pl_[0-9A-Za-z]+_[0-9A-Za-z-]+$/

function timedId(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-9]+_[0-9a-z]+$`)
}

/**
 * Returns whether a text has the form of an id. Keys that a merchant chooses must not, so that a path
 * parameter is never both.
 */
export function looksLikeId(text: string): boolean {
  return ANY_ID.test(text)
}
