import type { Deps } from '../deps.ts'
import { resolveClient, isTrustedProxy } from './client-ip.ts'
import type { ConnectionSource } from './connections.ts'
import type { LoadLimits } from './load-shedding.ts'
import type { ReadingLimit } from './slow-readers.ts'
import { networkOf, networksOf } from '../rate-limits/client-network.ts'

/** Limits that apply before a request is parsed. */

type Source = Pick<Deps, 'config' | 'security'>

/**
 * Returns the limits of requests and bodies. Requests through a proxy are counted for the client
 * that the proxy names.
 */
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

/** Returns how connections are counted. Those of a trusted proxy are not. */
export function connectionSource({ config: { trustProxy }, security }: Source): ConnectionSource {
  return {
    networksOf: (address) => (isTrustedProxy(address, trustProxy) ? [] : networksOf(address)),
    isBehindProxy: trustProxy !== undefined && !('hops' in trustProxy && trustProxy.hops === 0),
    refused: (network) => security.record('connection_refused', { limit: 'connections', network }),
  }
}

/** Records a closed connection whose client did not read its responses. */
export function recordUnread({ security }: Source) {
  return (limit: ReadingLimit, address: string | undefined) =>
    security.record('connection_refused', { limit, network: networkOf(address) })
}
