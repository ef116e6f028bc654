import type { Instance } from '../db/tables/instances.ts'
import type { Config } from '../config.ts'
import { isPostgres } from '../db/open.ts'
import type { FirstKey } from '../admin/first-instance.ts'

export interface BannerOptions {
  config: Config
  instance: Instance
  secretKey: FirstKey
  link: string | undefined
  /** The link that creates the first user, or the file that contains it. */
  firstUser: string | undefined
}

const KEY_TEXTS: Record<Extract<FirstKey, string>, string> = {
  PRESET: 'the one in CHECKSTAND_SECRET_KEY',
  PRESET_REVOKED: 'the one in CHECKSTAND_SECRET_KEY is REVOKED; set another',
  PRESET_OF_ANOTHER_INSTANCE: 'the one in CHECKSTAND_SECRET_KEY belongs to ANOTHER INSTANCE',
  EXISTING: 'shown when it was created; for another: npx checkstand key create',
}

/** Returns the text that the server prints when it has started. */
export function banner(options: BannerOptions): string {
  const { config, instance, secretKey, link, firstUser } = options
  const base = config.baseUrl
  const key = typeof secretKey === 'string' ? KEY_TEXTS[secretKey] : secretKey.generated
  const lines: [string, string][] = [
    firstUser ? ['Begin here', firstUser] : ['Console', `${config.consoleUrl}/console`],
    ...(link ? [['Pay this link', link] as [string, string]] : []),
    ['API', `${base}/c/api/instances/${instance.key}/payment_links`],
    ['Documentation', `${base}/docs`],
    ['Secret key', key],
    ['Data', databaseAddress(config.databaseUrl)],
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

/** Keeps only the safe parts of a URL: a password can also be in the query. */
function databaseAddress(url: string): string {
  if (!isPostgres(url)) return url
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
