import type { Instance } from '../db/tables/instances.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import { findAccount } from '../accounts/store.ts'
import type { Deps } from '../deps.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import type { StringScope } from '../../shared/rules/inherit.ts'
import {
  chooseLanguage,
  type LanguagePreferences,
  getOfferedLanguages,
} from '../strings/languages.ts'

export interface PayerLocale extends StringScope {
  /** IANA name; null means the browser's. */
  timezone: string | null
}

/**
 * Returns the language, branding and time zone of a payer's page. An account's preferences count only
 * where the link names the account by its id.
 */
export async function resolveLocale(
  deps: Deps,
  instance: Instance,
  link: SessionLink,
  { branding, preferences }: { branding: string; preferences: LanguagePreferences },
): Promise<PayerLocale> {
  const { account, timezone } = parseLinkContent(link).options
  const fixed =
    typeof account === 'string' ? await findAccount(deps.db, instance.id, account) : undefined
  const languages = await getOfferedLanguages(deps, instance)
  return {
    branding,
    language: chooseLanguage({ ...preferences, account: fixed?.locale }, languages),
    timezone: timezone ?? fixed?.timezone ?? instance.timezone,
  }
}
