import { Resolver } from 'node:dns/promises'
import { isLocalhostName, type Resolve } from './url-policy.ts'

const TRY_MS = 2000
const TRIES = 2

/**
 * Asks DNS for the addresses of a name. The system's own look-up is not used, because it takes one
 * of the few threads that also write to the disk: a merchant with a slow name server could hold
 * them all.
 */
export const resolveName: Resolve = async (hostname) => {
  if (isLocalhostName(hostname)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
