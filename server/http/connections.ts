import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** Open at once from one network. */
  perNetwork: number
  /** Open at once in all. */
  max: number
  /** Kept free beyond `max` for addresses that are not counted, among which are probes. */
  reserve: number
}

/** A connection that says nothing takes some 10 kB. */
export const CONNECTION_LIMITS: ConnectionLimits = { perNetwork: 1000, max: 10_000, reserve: 1000 }

export interface ConnectionGate {
  /** Whether a new connection would be refused, whoever opens it. */
  isFull: () => boolean
}

/**
 * Closes connections beyond the limits as soon as they are opened. `networkOf` gives the network
 * that an address is counted for: undefined for a proxy's, through which all clients come, and for
 * addresses of this machine or a private network. `refused` is told of each one that is closed.
 */
export function limitConnections(
  server: Server,
  gate: {
    networkOf: (address: string) => string | undefined
    refused: (network: string | undefined) => void
  },
  { perNetwork, max, reserve }: ConnectionLimits = CONNECTION_LIMITS,
): ConnectionGate {
  const counts = new Map<string, number>()
  let open = 0
  server.on('connection', (socket: Socket) => {
    const network = gate.networkOf(socket.remoteAddress ?? '')
    const ofNetwork = network === undefined ? 0 : (counts.get(network) ?? 0)
    // Connections that are only kept for later make room first.
    if (open === max) server.closeIdleConnections()
    const isBeyond = open >= max + (network === undefined ? reserve : 0)
    if (isBeyond || ofNetwork >= perNetwork) {
      gate.refused(network)
      socket.destroy()
      return
    }
    open += 1
    if (network !== undefined) counts.set(network, ofNetwork + 1)
    socket.once('close', () => {
      open -= 1
      if (network === undefined) return
      const left = (counts.get(network) ?? 1) - 1
      if (left === 0) counts.delete(network)
      else counts.set(network, left)
    })
  })
  return { isFull: () => open >= max + reserve }
}
