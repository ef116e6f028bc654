import { findAccount } from '../accounts/store.ts'
import type { Deps } from '../deps.ts'
import type { Instance } from '../instances/store.ts'
import { linkContent } from '../payment-links/serialize.ts'
import type { LinkRow } from '../payment-links/store.ts'
import type { Scope } from '../strings/resolve.ts'
import { chooseLanguage, type LanguageWishes, offeredLanguages } from '../strings/languages.ts'

export interface PayerLocale extends Scope {
  /** An IANA name; null where only the browser knows. */
  timezone: string | null
}

/**
 * The language, branding and time zone of a payer's page (contract section 3). Those of the account
 * count only where the merchant named the account by its id.
 */
export async function resolveLocale(
  deps: Deps,
  instance: Instance,
  link: LinkRow,
  from: { branding: string; wishes: LanguageWishes },
): Promise<PayerLocale> {
  const { account, timezone } = linkContent(link).options
  const known =
    typeof account === 'string' ? await findAccount(deps.db, instance.id, account) : undefined
  const languages = await offeredLanguages(deps, instance)
  return {
    branding: from.branding,
    language: chooseLanguage({ ...from.wishes, account: known?.locale }, languages),
    timezone: timezone ?? known?.timezone ?? instance.timezone,
  }
}
