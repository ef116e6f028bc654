import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Listening } from './listeners.ts'

/** How long requests under way may take when the server ends. */
const DRAIN_MS = 25_000
/** Browsers open connections ahead of any request; a request that has been sent arrives sooner. */
const UNUSED_MS = 500

/**
 * Returns what ends a server, with the function that stops its listeners: it accepts no new connection, waits for
 * pending requests, 25 seconds at most, and closes connections without one. It must be called before the server listens.
 */
export function drainer(server: Server): (stop: Listening['stop']) => Promise<void> {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))

  // To Node.js, a connection that has had no request yet is not idle.
  const closeUnused = () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
  }
  return async (stop) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const ahead = setTimeout(closeUnused, UNUSED_MS)
    const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    const stopped = stop()
    server.closeIdleConnections()
    await stopped
    clearInterval(idle)
    clearTimeout(ahead)
    clearTimeout(patience)
  }
}
