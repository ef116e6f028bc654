import type { Instance } from '../db/rows.ts'
import type { Config } from '../config.ts'
import { isPostgres } from '../db/open.ts'
import type { FirstKey } from '../admin/first-instance.ts'

export interface BannerOptions {
  config: Config
  instance: Instance
  /** One that was made now as what is said of it. */
  secretKey: FirstKey
  link: string | undefined
  /** Where the first user is made, on a server that has none, or where that is written. */
  firstSignIn: string | undefined
}

const WHERE_KEY: Record<Extract<FirstKey, string>, string> = {
  PRESET: 'the one in CHECKSTAND_SECRET_KEY',
  PRESET_REVOKED: 'the one in CHECKSTAND_SECRET_KEY was REVOKED and opens nothing; set another',
  PRESET_OF_ANOTHER_INSTANCE:
    'the one in CHECKSTAND_SECRET_KEY opens ANOTHER INSTANCE, not this one',
  MADE_BEFORE: 'shown when it was made; for another: npx checkstand key create',
}

/** What a person needs in the first minute, each on a line of its own. */
export function banner(facts: BannerOptions): string {
  const { config, instance, secretKey, link, firstSignIn } = facts
  const base = config.baseUrl
  const key = typeof secretKey === 'string' ? WHERE_KEY[secretKey] : secretKey.made
  const lines: [string, string][] = [
    ...(link ? [['Pay this link', link] as [string, string]] : []),
    ['API', `${base}/c/api/instances/${instance.key}/payment_links`],
    ['API reference', `${base}/openapi.json`],
    ['Secret key', key],
    ...(firstSignIn ? [['First user', firstSignIn] as [string, string]] : []),
    ['Data', whereData(config.databaseUrl)],
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  const cards = link
    ? [
        '',
        '  Test cards, with any future date and any security code:',
        '    4242 4242 4242 4242   approved',
        '    4000 0000 0000 0002   declined',
        '    4000 0000 0000 3220   asks the bank first',
        '    4000 0000 0000 0077   pending, then approved',
      ]
    : []
  return [
    '',
    `  Checkstand is listening at ${base}`,
    '',
    ...lines.map(([name, value]) => `  ${name.padEnd(width)}   ${value}`),
    ...cards,
    '',
  ].join('\n')
}

/**
 * The address of the database without what may be secret. A password is not always where one looks
 * for it, such as in the query; so what is safe is printed, and not what is left without it.
 */
function whereData(url: string): string {
  if (!isPostgres(url)) return url
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
