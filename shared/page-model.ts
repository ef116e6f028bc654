import type { z } from 'zod'
import type { NumberStyle } from './rules/typed-amount.ts'
import type { checkoutView, openCheckoutResponse, submitResponse } from './schemas/checkout.ts'
import type { DeepLinkTask } from './schemas/deep-link-task.ts'
import type { openCheckoutRequest, submitRequest } from './schemas/checkout-request.ts'

/**
 * The data that the server renders into the page, and the requests and responses between the two,
 * whose members the schemas describe. Types only: the page contains no schema library.
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
  /** Path, and query, at which the page opens its session; null on a page without a link. */
  sessions: string | null
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
  /**
   * The processors, by id, whose fields the page shows in frames. Missing where its own fields serve
   * every method.
   */
  processors?: Record<string, FramedProcessor>
  checkout: CheckoutView
}

/** The JSON in the page of a customer's task, whose `checkout` has no payment. */
export interface TaskPageModel extends PageModel {
  /** Id of the deep link. */
  task_link: string
  task_action: DeepLinkTask['action']
}

/** What the page needs for the fields of a processor. */
export interface FramedProcessor {
  /** Of the adapter, such as `stripe`. */
  name: string
  /** The publishable key. */
  key: string
  /** The processor's account that is paid, where it is not that of the key. */
  account?: string
  /** URL of the processor's script. */
  script: string
}

/**
 * A checkout session as the payer sees it. `id`, `now` and `expires` are null before it is opened.
 */
export type CheckoutView = z.output<typeof checkoutView>

export type CheckoutTerms = CheckoutView['terms']
export type ChargeLine = NonNullable<CheckoutTerms['charges']>[number]
export type OfferedMethod = CheckoutView['methods'][number]
export type SavedMethod = CheckoutView['saved_methods'][number]

/** The newest attempt of this session, or the payment of a link that is already paid. */
export type CheckoutResult = NonNullable<CheckoutView['result']>

/** A result with an amount, which can be shown. */
export type ShownResult = CheckoutResult & { amount: string }

export type PayerAction = NonNullable<CheckoutResult['action']>

/** Body of `POST /pay/{pl_id}/checkouts`. */
export type OpenCheckoutRequest = z.input<typeof openCheckoutRequest>
export type OpenCheckoutResponse = z.output<typeof openCheckoutResponse>

/** Query of `GET /pay/checkouts/current`; part of the body of `POST /pay/{pl_id}/checkouts`. */
export type KnownWording = Pick<OpenCheckoutRequest, 'strings_hash' | 'known_strings'>

/** How many strings the page has: those of a page with a form, or all. */
export type KnownStrings = NonNullable<KnownWording['known_strings']>

/** Body of `POST /pay/checkouts/current/submit`. */
export type SubmitRequest = z.input<typeof submitRequest>
export type SubmitResponse = z.output<typeof submitResponse>

export type SubmittedDetails = NonNullable<SubmitRequest['account']>
export type SubmittedAddress = NonNullable<SubmittedDetails['address']>
export type SubmittedMethod = SubmitRequest['payment_method']

/** Milliseconds before the request was sent, because the clocks of payers are often wrong. */
export type MilestoneAges = NonNullable<SubmitRequest['milliseconds_since']>
