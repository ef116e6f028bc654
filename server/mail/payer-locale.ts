import { findAccount } from '../accounts/store.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { MailRow } from '../db/tables/mails.ts'
import type { Db, Tx } from '../db/tables.ts'
import { brandingOfChannel } from '../instances/brandings.ts'
import { chooseLanguage, getOfferedLanguages } from '../strings/languages.ts'

export type MailLocale = Pick<MailRow, 'language' | 'branding' | 'timezone'>

/** Returns the locale of mails to a customer, who is not at a page. */
export async function accountLocale(
  db: Db | Tx,
  instance: Instance,
  accountId: string | null,
): Promise<MailLocale> {
  const account = accountId === null ? undefined : await findAccount(db, instance.id, accountId)
  const languages = await getOfferedLanguages({ db }, instance)
  return {
    language: chooseLanguage({ account: account?.locale }, languages),
    branding: brandingOfChannel(instance, account?.channel)?.key ?? '',
    timezone: account?.timezone ?? null,
  }
}

/** Returns the locale of mails to users: the instance's own wording, in its first language. */
export function instanceLocale(instance: Instance): MailLocale {
  const [language = 'default'] = JSON.parse(instance.languages ?? '[]') as string[]
  return { language, branding: '', timezone: null }
}
