export interface AccountsTable {
  id: string
  instance_id: string
  crm_key: string
  /** `*_folded`: result of `foldKey`, for unique indexes; null if the text is empty. */
  crm_key_folded: string
  email_folded: string | null
  /** `*_lower`, in every table: result of `fold`, for criteria; null if the text is empty. */
  first_name_lower: string | null
  last_name_lower: string | null
  company_lower: string | null
  email_lower: string | null
  phone_lower: string | null
  crm_key_lower: string | null
  crm_lower: string | null
  channel_lower: string | null
  division_lower: string | null
  tags_lower: string | null
  first_name: string | null
  last_name: string | null
  company: string | null
  email: string | null
  phone: string | null
  address: string | null
  metadata: string
  tags: string | null
  locale: string | null
  timezone: string | null
  channel: string | null
  division: string | null
  crm: string | null
  /** 0: notices that are not required are not mailed. */
  mail_notices: number
  status: 'PENDING' | 'ACTIVE' | 'ARCHIVED'
  /** When what identifies the customer was removed; null if it was not. */
  anonymised: string | null
  /** JSON array of ids of links with its details, until it is removed from all tables; else null. */
  erasing: string | null
  last_transacted: string | null
  last_transaction_id: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}
