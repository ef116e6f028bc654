import type { Instance, LinkRow } from '../db/rows.ts'
import { findAccount } from '../accounts/store.ts'
import type { Deps } from '../deps.ts'
import { parseLinkContent } from '../payment-links/serialize.ts'
import type { StringScope } from '../strings/resolve.ts'
import {
  chooseLanguage,
  type LanguagePreferences,
  getOfferedLanguages,
} from '../strings/languages.ts'

export interface PayerLocale extends StringScope {
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
  from: { branding: string; wishes: LanguagePreferences },
): Promise<PayerLocale> {
  const { account, timezone } = parseLinkContent(link).options
  const known =
    typeof account === 'string' ? await findAccount(deps.db, instance.id, account) : undefined
  const languages = await getOfferedLanguages(deps, instance)
  return {
    branding: from.branding,
    language: chooseLanguage({ ...from.wishes, account: known?.locale }, languages),
    timezone: timezone ?? known?.timezone ?? instance.timezone,
  }
}
