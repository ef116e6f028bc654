import { Resolver } from 'node:dns/promises'
import { isLocalhostName, type Resolve } from './url-policy.ts'

const TIMEOUT_MS = 2000
const TRIES = 2

/**
 * Resolves a name by DNS. Does not use the system's lookup, which runs in the thread pool that also
 * writes to the disk: a slow name server of a merchant could block it.
 */
export const resolveName: Resolve = async (hostname) => {
  if (isLocalhostName(hostname)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  const lookups = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  return lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []))
}
