/** What a tenant's records are called, and what records are called that never were. */

/** Chosen by the merchant. Other merchants can guess them and choose the same. */
export interface Keys {
  instanceKey: string
  branding: string
  channel: string
  /** Of a site that may show the page within its own. */
  origin: string
  accountKey: string
  /** Of the account that a payer's details made. */
  payerKey: string
  linkKey: string
  typedKey: string
  saleKey: string
  authorisationKey: string
  captureKey: string
  /** Of a contract, its charge and its payment. */
  owedKey: string
  entityKey: string
  refundReference: string
  /** The `Idempotency-Key` of every request that has one, and a key in their bodies. */
  requestKey: string
  onceKey: string
  /** Of no record yet, for requests that make one. */
  freshKey: string
}

/** Chosen by the server. */
export interface Ids {
  account: string
  method: string
  /** Another one of the same account. */
  spareMethod: string
  paidLink: string
  openLink: string
  savedLink: string
  deepLink: string
  /** A deep link of the account. */
  taskLink: string
  slug: string
  /** A session of a deep link to a task. */
  taskSession: string
  taskSecret: string
  /** The session that paid the link. */
  checkout: string
  openCheckout: string
  /** The secret half of the open session's token. */
  payerSecret: string
  attempt: string
  attemptKey: string
  /** By which banks send back the payers of the two sessions. */
  paidHandle: string
  declinedHandle: string
  sale: string
  transaction: string
  authorisation: string
  released: string
  capture: string
  refund: string
  void: string
  reversal: string
  instalment: string
  charge: string
  contract: string
  announced: string
  /** Unpaid, and due later. */
  owedCharge: string
  legalEntity: string
  /** Not the default. */
  spareEntity: string
  entityRoute: string
  /** Without an outcome. */
  unresolved: string
  /** A revision of strings. */
  revision: string
  webhook: string
  event: string
  delivery: string
  processor: string
  secretKey: string
  view: string
  grant: string
  auditEntry: string
  /** Another user of the merchant, who is signed in. */
  colleague: string
  userSession: string
}

export type Names = Keys & Ids

/** The keys that a word makes. `instanceKey` was chosen before. */
export function keysOf(word: string, instanceKey: string): Keys {
  return {
    instanceKey,
    branding: `${word}-brand`,
    channel: `${word} channel`,
    origin: `https://${word}.example`,
    accountKey: `${word} account`,
    payerKey: `${word} payer`,
    linkKey: `${word} link`,
    typedKey: `${word} typed`,
    saleKey: `${word} sale`,
    authorisationKey: `${word} authorisation`,
    captureKey: `${word} capture`,
    owedKey: `${word} owed`,
    entityKey: `${word} entity`,
    refundReference: `${word} refund`,
    requestKey: `${word}-request`,
    onceKey: `${word} once`,
    freshKey: `${word} fresh`,
  }
}

/** Names of the same form that nothing ever had: other keys, and ids with another end. */
export function absentNames(names: Names, word: string): Names {
  const keys = keysOf(word, `${word}-shop`)
  const unknown = ([name, value]: [string, string]) => [name, value.replace(/.{10}$/, '0000000000')]
  return { ...Object.fromEntries(Object.entries(names).map(unknown)), ...keys } as Names
}

/** The token of a tenant's open session. */
export function payerToken({ openCheckout, payerSecret }: Names): string {
  return `ckt_${openCheckout.slice('ck_'.length)}_${payerSecret}`
}
