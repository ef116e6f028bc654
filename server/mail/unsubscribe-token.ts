import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'

type TokenDeps = Pick<Deps, 'keyedDigest'>

/** An account id and 128 bits that only this server's database can compute. It never expires. */
const TOKEN = /^(acc_[0-9]{1,20}_[0-9a-z]{1,40})_([0-9a-f]{32})$/

/** Returns the address at which a customer refuses notices by mail. */
export function unsubscribeUrl(
  { config, keyedDigest }: TokenDeps & Pick<Deps, 'config'>,
  accountId: string,
): string {
  return `${config.baseUrl}/unsubscribe/${accountId}_${signature({ keyedDigest }, accountId)}`
}

/** Returns the account id of a token; undefined for one that this server did not make. */
export function parseUnsubscribeToken(deps: TokenDeps, token: string): string | undefined {
  const [, accountId, given] = TOKEN.exec(token) ?? []
  if (accountId === undefined || given === undefined) return undefined
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(signature(deps, accountId)))
  return isOurs ? accountId : undefined
}

function signature({ keyedDigest }: TokenDeps, accountId: string): string {
  return keyedDigest(`unsubscribe ${accountId}`).slice(0, 32)
}
