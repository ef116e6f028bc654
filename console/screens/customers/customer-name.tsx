import type { Account } from '../../../shared/schemas/account.ts'

/** Returns the name of a customer, else their company, email address or key. */
export function customerText(account: Account): string {
  const { first_name, last_name, company, email, crm_key } = account
  return [first_name, last_name].filter(Boolean).join(' ') || company || email || crm_key
}

/** The name of a customer, or a dash where none is known. */
export function customerName(account: Account | null) {
  return account ? customerText(account) : <span class="muted">–</span>
}
