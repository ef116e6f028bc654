import type { NumberStyle } from './rules/typed-amount.ts'
import type { SaveCardView } from './rules/save-card.ts'
import type { Strings } from './rules/wording.ts'

/**
 * What the server writes into the payer's page, and what the page and the server say to each
 * other afterwards (contract section 7). Types only: the page carries no schema library.
 */

/** Which of the page's faces the server rendered. */
export type PageView =
  /** The form; the payer can pay. */
  | 'FORM'
  /** The link was paid or awaits the bank: `checkout.result` says which. */
  | 'RESULT'
  /** Somebody is paying this link in another window right now. */
  | 'BUSY'
  /** The link is past its `expires`. */
  | 'EXPIRED'
  /** Archived by the merchant, or never existed: the payer is told the same. */
  | 'UNAVAILABLE'

/** The JSON that travels inside the page. */
export interface PageModel {
  view: PageView
  /** Null on a page that has no link to speak of. */
  payment_link: string | null
  /** A test instance takes no real money, and says so. */
  test_mode: boolean
  /** The merchant's mark: an https address, or null where the name's first letter stands in. */
  logo: string | null
  /** Codes of the languages on offer; the menu shows them when there are several. */
  languages: string[]
  /** Whose pages may frame this one. */
  embed_origins: string[]
  /** Why the payer is back on the form after a bank page, as a string id; else null. */
  notice: string | null
  number_style: NumberStyle
  checkout: CheckoutView
}

/** What the payer may see of a checkout session. `id`, `now` and `expires` are null before it is opened. */
export interface CheckoutView {
  id: string | null
  /** The time by the clock of the instance, from which the page counts to `expires`. */
  now: string | null
  payment_link: string | null
  /** The name of the instance or branding, frozen with the session. */
  merchant: string
  status: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' | 'EXPIRED' | 'ABANDONED'
  options_v: number
  expires: string | null
  /** Two-letter code, or `default`. */
  language: string
  direction: 'ltr' | 'rtl'
  branding: string | null
  /** IANA name, or null for the payer's own zone. */
  timezone: string | null
  /** SHA-256 of the whole frozen bundle, hex. */
  strings_hash: string
  /** The bundle, or the part of it that the page does not have yet. */
  strings: Strings
  terms: CheckoutTerms
  details: PayerDetailsView
  save_card: SaveCardView
  methods: OfferedMethod[]
  saved_methods: SavedMethod[]
  result: CheckoutResult | null
}

export interface CheckoutTerms {
  name: string
  intro: string | null
  amount: string | null
  amount_editable: boolean
  currency: string
  /** Decimals of the currency by ISO 4217, because `Intl` has other ideas. */
  currency_digits: number
  alt_key: string | null
  alt_key_editable: boolean
  description: string | null
  description_editable: boolean
  comment_allowed: boolean
  /** When the link stops taking payments; date-time or null. */
  expires: string | null
}

export interface PayerDetailsView {
  /** False when the merchant named the account: the payer is already known. */
  needed: boolean
  prefill: PayerDetails
}

export interface PayerDetails {
  first_name?: string
  last_name?: string
  email?: string
  phone?: string
  address?: PayerAddress
}

/** `line4` city or town, `line5` post or ZIP code, `line6` ISO 3166-2 subdivision. */
export interface PayerAddress {
  line1?: string
  line2?: string
  line3?: string
  line4?: string
  line5?: string
  line6?: string
  country?: string
}

export interface OfferedMethod {
  type: string
  processor: string
  storable: boolean
  token_first: boolean
  async: boolean
}

export interface SavedMethod {
  id: string
  type: string
  brand: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
  /** The payer may remove it; absent where they may not. */
  removable?: boolean
}

/** The state of the newest attempt of this session, or of the link when it is already paid. */
export interface CheckoutResult {
  /** CHECKING: the processor did not answer; nobody knows yet, and nobody may pay again. */
  outcome: 'COMPLETED' | 'PENDING' | 'CHECKING' | 'DECLINED' | 'ACTION' | 'BUSY'
  reference: string | null
  /** The merchant's or the payer's own reference that the payment carries. */
  alt_key: string | null
  /** Null while somebody else is paying an amount of their own choice. */
  amount: string | null
  currency: string
  currency_digits: number
  date: string
  /** The merchant's URL for this outcome with our parameters, or null. */
  redirect: string | null
  /** Ids for the page around an embedded one; only for the session that paid. */
  transaction: string | null
  account: string | null
  /** The payer leaves for `redirect` at once, without a receipt. */
  skip_receipt: boolean
  /** The merchant's own receipt sentence, or null for the built-in one. */
  message: string | null
  /** Why it was declined, or what is being waited for, as a string id; else null. */
  message_id: string | null
  /** Only for the session that paid: a link that is reopened shows no method. */
  method: { type: string; brand: string | null; last4: string | null } | null
  /** Where the bank asks the payer to confirm, for ACTION. */
  action: PayerAction | null
}

/** The result of a payment that is shown, and so with an amount. */
export type ShownResult = CheckoutResult & { amount: string }

export interface PayerAction {
  type: 'REDIRECT'
  url: string
  /** The bank's page agrees to be shown inside an embedded checkout. */
  in_frame?: boolean
}

/**
 * How much of a bundle's wording the page has: the part that the document of a form carries, or all
 * of it.
 */
export type KnownStrings = 'FORM' | 'ALL'

/** Query of `GET /pay/checkouts/current`; part of the body of `POST /pay/{pl_id}/checkouts`. */
export interface KnownWording {
  strings_hash?: string
  known_strings?: KnownStrings
}

/**
 * When the payer reached something, as milliseconds before the request was sent: the clocks of
 * payers are wrong too often.
 */
export interface MillisecondsSince {
  /** First name, last name and a valid email stood in the form for the first time. */
  details_done?: number
  /** The payer first chose a method, or first typed into the one that was chosen already. */
  method_chosen?: number
}

/** Body of `POST /pay/{pl_id}/checkouts`. */
export interface OpenCheckoutRequest extends KnownWording {
  language?: string
  branding?: string
  embedded_origin?: string
}

export interface OpenCheckoutAnswer {
  /** The session's bearer token (`ckt_…`): kept in memory and sessionStorage, sent in a header. */
  token: string
  checkout: CheckoutView
}

/** Body of `POST /pay/checkouts/current/submit`. */
export interface SubmitRequest {
  /** UUID, made when the form becomes ready and renewed after each final answer. */
  attempt_key: string
  options_v: number
  amount?: string
  currency?: string
  /** Null where the payer wants none. */
  alt_key?: string | null
  description?: string
  account?: PayerDetails
  payment_method: SubmittedMethod
  save_card?: boolean
  /** The work that a refusal asked for. */
  proof?: string
  milliseconds_since?: MillisecondsSince
}

export type SubmittedMethod =
  | { id: string; csc?: string }
  | { type: string; processor: string; token?: string }

export interface SubmitAnswer {
  outcome: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'ACTION' | 'TERMS_CHANGED' | 'BUSY' | 'GONE'
  /** The merchant's URL; present only when the payer leaves at once. */
  redirect?: string
  /** Our address that answers 303 to `redirect`; the page navigates here (contract section 9). */
  return_url?: string
  action?: PayerAction
  message_id?: string
}
