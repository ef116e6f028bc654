import type { Selectable } from 'kysely'

/** Methods that are saved without a payment. The id is the idempotency key at the processor. */
export interface MethodSetupsTable {
  id: string
  instance_id: string
  account_id: string
  /** The session of the payer. */
  session_id: string
  /** Key of one press of the button; unique within the session. */
  attempt_key: string
  /** Keyed digest of the submitted request, to recognize a repeat. */
  request_hash: string
  /** Opaque part of the return URL after a challenge. */
  handle: string
  /** Path of the page to which the payer returns. */
  page: string
  processor: string
  method_type: string
  /** JSON of the consent text that the payer accepted. */
  consent: string
  state: 'SENT' | 'ACTION' | 'PENDING' | 'UNRESOLVED' | 'DONE'
  status: 'PENDING' | 'SUCCESS' | 'DECLINE'
  /** 1 after a later set-up of the session: what this one saves is forgotten. */
  set_aside: number
  /** The link whose claim it holds, where a success begins a contract; else null. */
  payment_link_id: string | null
  /** JSON of the contract that a success begins. */
  agreement: string | null
  /** JSON of what the payer entered on the link's page. */
  payer_details: string | null
  /** When the payer first came back from their bank. */
  returned: string | null
  gateway_status: string | null
  /** The reason of a decline. */
  decline_code: string | null
  /** 1 if the database was restored before it had an outcome. */
  restored: number
  payment_method_id: string | null
  method_brand: string | null
  method_last4: string | null
  action_url: string | null
  action_expires: string | null
  /** String id of the message to the payer. */
  message_id: string | null
  gateway_message: string | null
  gateway_reference: string | null
  /** When the processor is queried next; null once nothing is left to do. */
  next_check: string | null
  checks: number
  created: string
  updated: string
}

export type MethodSetupRow = Selectable<MethodSetupsTable>
