import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { CountedNetwork } from '../rate-limits/client-network.ts'

export interface ConnectionLimits {
  /** Open connections of one network. */
  perNetwork: number
  /** Open connections in total. */
  max: number
  /** Reserved beyond `max` for addresses that are not counted, such as health probes. */
  reserve: number
}

/** An idle connection takes about 10 kB. */
export const CONNECTION_LIMITS: ConnectionLimits = { perNetwork: 1000, max: 10_000, reserve: 1000 }

/** Which connections are counted, and how a closed one is reported. */
export interface ConnectionSource {
  /**
   * Returns the networks for which an address is counted, narrowest first; none for proxies and for
   * local or private addresses.
   */
  networksOf: (address: string) => readonly CountedNetwork[]
  /** Whether clients connect through proxies, whose connections are not counted. */
  isBehindProxy: boolean
  /** Called for each connection that is closed. */
  refused: (network: string | undefined) => void
}

const CLOSE_IDLE_EVERY_MS = 1000

export interface ConnectionGate {
  /** Whether a new connection would be closed, whatever its network. */
  isFull: () => boolean
}

/**
 * Closes connections beyond the limits as they are opened. The wider networks of an IPv6 address
 * may have more, but never more than half of all, so that one owner cannot take every connection.
 */
export function limitConnections(
  server: Server,
  { networksOf, refused, isBehindProxy }: ConnectionSource,
  { perNetwork, max, reserve }: ConnectionLimits = CONNECTION_LIMITS,
): ConnectionGate {
  const counts = new Map<string, number>()
  let open = 0
  let idleClosed = Number.NEGATIVE_INFINITY
  server.on('connection', (socket: Socket) => {
    const networks = networksOf(socket.remoteAddress ?? '')
    const isNetworkFull = networks.some(({ network, share }) => {
      const most = share === 1 ? perNetwork : Math.min(perNetwork * share, Math.ceil(max / 2))
      return (counts.get(network) ?? 0) >= most
    })
    if (open >= max) closeIdle()
    const isBeyond = open >= max + (networks.length === 0 ? reserve : 0)
    if (isBeyond || isNetworkFull) {
      refused(networks[0]?.network)
      socket.destroy()
      return
    }
    open += 1
    for (const { network } of networks) counts.set(network, (counts.get(network) ?? 0) + 1)
    socket.once('close', () => {
      open -= 1
      for (const { network } of networks) {
        const left = (counts.get(network) ?? 1) - 1
        if (left === 0) counts.delete(network)
        else counts.set(network, left)
      }
    })
  })
  return { isFull: () => open >= max + (isBehindProxy ? reserve : 0) }

  /** Frees kept-alive connections. It looks at all of them, so it does not run for each request. */
  function closeIdle(): void {
    const now = performance.now()
    if (now - idleClosed < CLOSE_IDLE_EVERY_MS) return
    idleClosed = now
    server.closeIdleConnections()
  }
}
