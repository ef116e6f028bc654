import type { Deps } from '../deps.ts'
import { resolveClient, isTrustedProxy } from './client-ip.ts'
import type { ConnectionSource } from './connections.ts'
import type { LoadLimits } from './load-shedding.ts'
import type { ReadingLimit } from './slow-readers.ts'
import { networkOf, networksOf } from '../rate-limits/client-network.ts'

/** Whose requests, bodies and connections are counted before anything of a request is known. */

type Source = Pick<Deps, 'config' | 'security'>

/** Returns the limits of requests and bodies. A proxy's are counted for the client that it names. */
export function loadLimits({ config, security }: Source): LoadLimits {
  return {
    max: config.requestsMax,
    networksOf({ socket, headers }) {
      const header = (name: string) => headers[name]?.toString()
      return networksOf(
        resolveClient({ peer: socket.remoteAddress, header }, config.trustProxy).address,
      )
    },
    refused: (limit, network) => security.record('request_shed', { limit, network }),
  }
}

/** Returns what connections are counted for: a trusted proxy's for nothing. */
export function connectionSource({ config: { trustProxy }, security }: Source): ConnectionSource {
  return {
    networksOf: (address) => (isTrustedProxy(address, trustProxy) ? [] : networksOf(address)),
    isBehindProxy: trustProxy !== undefined && !('hops' in trustProxy && trustProxy.hops === 0),
    refused: (network) => security.record('connection_refused', { limit: 'connections', network }),
  }
}

/** Records a connection whose client asked and did not read. */
export function recordUnread({ security }: Source) {
  return (limit: ReadingLimit, address: string | undefined) =>
    security.record('connection_refused', { limit, network: networkOf(address) })
}
