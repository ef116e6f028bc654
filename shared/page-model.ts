import type { NumberStyle } from './rules/typed-amount.ts'
import type { SaveCardView } from './rules/save-card.ts'
import type { Strings } from './rules/wording.ts'

/**
 * The data that the server renders into the page, and the requests and responses between the two.
 * Types only: the page contains no schema library.
 */

/** The view that the server rendered. */
export type PageView =
  /** The payer can pay. */
  | 'FORM'
  /** The link is paid or pending; see `checkout.result`. */
  | 'RESULT'
  /** The link is being paid in another window. */
  | 'BUSY'
  /** The link is past its `expires`. */
  | 'EXPIRED'
  /** Archived by the merchant, or unknown: the page does not distinguish them. */
  | 'UNAVAILABLE'

/** The JSON in the page. */
export interface PageModel {
  view: PageView
  /** Null on a page without a link. */
  payment_link: string | null
  /** A test instance takes no real money and shows a ribbon. */
  test_mode: boolean
  /** The merchant's logo: an https URL, or null for the first letter of the name. */
  logo: string | null
  /** Codes of the available languages; the menu is shown if there are several. */
  languages: string[]
  /** Origins that may frame the page. */
  embed_origins: string[]
  /** Id of the string that explains why the payer returned from a bank page; else null. */
  notice: string | null
  number_style: NumberStyle
  checkout: CheckoutView
}

/**
 * A checkout session as the payer sees it. `id`, `now` and `expires` are null before it is opened.
 */
export interface CheckoutView {
  id: string | null
  /** Current time by the clock of the instance, from which the page counts down to `expires`. */
  now: string | null
  payment_link: string | null
  /** Name of the instance or branding, fixed when the session was opened. */
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
  /** SHA-256 of all strings of the session, hex. */
  strings_hash: string
  /** The strings, or those that the page does not have yet. */
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
  /** Decimals of the currency in ISO 4217, which differ from those of `Intl`. */
  currency_digits: number
  alt_key: string | null
  alt_key_editable: boolean
  description: string | null
  description_editable: boolean
  comment_allowed: boolean
  /** When the link expires; date-time or null. */
  expires: string | null
}

export interface PayerDetailsView {
  /** False if the merchant named the account. */
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
  /** The payer may remove it; absent otherwise. */
  removable?: boolean
}

/** The newest attempt of this session, or the payment of a link that is already paid. */
export interface CheckoutResult {
  /** CHECKING: the outcome is unknown, and the link cannot be paid meanwhile. */
  outcome: 'COMPLETED' | 'PENDING' | 'CHECKING' | 'DECLINED' | 'ACTION' | 'BUSY'
  reference: string | null
  /** The reference of the merchant or payer. */
  alt_key: string | null
  /** Null while another session pays an amount of its own choice. */
  amount: string | null
  currency: string
  currency_digits: number
  date: string
  /** The merchant's URL for this outcome with our parameters, or null. */
  redirect: string | null
  /** Ids for the embedding page; only for the session that paid. */
  transaction: string | null
  account: string | null
  /** The payer is redirected at once, without a receipt. */
  skip_receipt: boolean
  /** The merchant's text for the receipt, or null for the built-in one. */
  message: string | null
  /** Id of the string for the decline reason or the pending action; else null. */
  message_id: string | null
  /** Only for the session that paid. */
  method: { type: string; brand: string | null; last4: string | null } | null
  /** The confirmation page of the bank, for ACTION. */
  action: PayerAction | null
}

/** A result with an amount, which can be shown. */
export type ShownResult = CheckoutResult & { amount: string }

export interface PayerAction {
  type: 'REDIRECT'
  url: string
  /** The bank's page may be shown inside an embedded checkout. */
  in_frame?: boolean
}

/** How many strings the page has: those of a page with a form, or all. */
export type KnownStrings = 'FORM' | 'ALL'

/** Query of `GET /pay/checkouts/current`; part of the body of `POST /pay/{pl_id}/checkouts`. */
export interface KnownWording {
  strings_hash?: string
  known_strings?: KnownStrings
}

/** Milliseconds before the request was sent, because the clocks of payers are often wrong. */
export interface MilestoneAges {
  /** First name, last name and a valid email were first all present. */
  details_done?: number
  /** The payer first chose a method or entered something into the preselected one. */
  method_chosen?: number
}

/** Body of `POST /pay/{pl_id}/checkouts`. */
export interface OpenCheckoutRequest extends KnownWording {
  language?: string
  branding?: string
  embedded_origin?: string
}

export interface OpenCheckoutResponse {
  /**
   * The bearer token of the session (`ckt_…`), kept in memory and sessionStorage and sent in a
   * header.
   */
  token: string
  checkout: CheckoutView
}

/** Body of `POST /pay/checkouts/current/submit`. */
export interface SubmitRequest {
  /** UUID, created when the form becomes ready and renewed after each final outcome. */
  attempt_key: string
  options_v: number
  amount?: string
  currency?: string
  /** Null for no reference. */
  alt_key?: string | null
  description?: string
  account?: PayerDetails
  payment_method: SubmittedMethod
  save_card?: boolean
  /** The proof of work that a 429 response requested. */
  proof?: string
  milliseconds_since?: MilestoneAges
}

export type SubmittedMethod =
  | { id: string; csc?: string }
  | { type: string; processor: string; token?: string }

export interface SubmitResponse {
  outcome: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'ACTION' | 'TERMS_CHANGED' | 'BUSY' | 'GONE'
  /** The merchant's URL; present only if the payer is redirected at once. */
  redirect?: string
  /** The server's URL that redirects there with 303; the page navigates here. */
  return_url?: string
  action?: PayerAction
  message_id?: string
}
