import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import type { AppEnv } from './router.ts'
import { createTokenBuckets } from '../rate-limits/token-bucket.ts'
import { rateLimitPayers } from './rate-limit.ts'

/** A page has several files, and merchants' pages load the embed script for visitors who never pay. */
const FILES_PER_PAGE = 10

/**
 * Limits what one address asks of the files that never change, apart from the pages and ten times
 * as generously: they are answered from memory.
 */
export function limitAssets(
  deps: Pick<Deps, 'config' | 'rateLimits' | 'realNow'>,
): MiddlewareHandler<AppEnv> {
  const payers = createTokenBuckets(deps.config.payerRate * FILES_PER_PAGE)
  return rateLimitPayers({ ...deps, rateLimits: { ...deps.rateLimits, payers } })
}
