import { CARDS } from '../../test/cards.ts'
import type { CrashRun } from './crash-run.ts'
import { SECRET_KEYS } from './merchants.ts'

const NEWEST = 200

/** What stands in no file of the server: keys, tokens and codes of this run, and card numbers. */
export function secretsOf(lab: CrashRun): string[] {
  const { calls } = lab.history
  const received = calls.slice(-NEWEST * 20).flatMap(({ op, json, about }) => {
    if (json === undefined) return []
    if (op === 'open') return [json.token]
    return op === 'code.redeem' ? [about?.['code'], json.access_token, json.refresh_token] : []
  })
  return [
    ...Object.values(SECRET_KEYS),
    lab.servers.platform().clientSecret,
    CARDS.approve,
    CARDS.noAnswerTaken,
    ...received.filter((secret): secret is string => typeof secret === 'string').slice(-NEWEST),
  ]
}
