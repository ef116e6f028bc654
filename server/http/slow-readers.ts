import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** What a connection may leave unread. */
export interface ReadingLimits {
  /** Requests without a whole answer, on one connection. */
  unanswered: number
  /** Milliseconds for any answer, and besides them as long as its bytes take at `bytesPerSecond`. */
  ms: number
  bytesPerSecond: number
}

/** Browsers and clients send one request after the other; 8 kB a second is a bad phone's line. */
export const READING_LIMITS: ReadingLimits = { unanswered: 16, ms: 30_000, bytesPerSecond: 8_000 }

export type ReadingLimit = 'pipelined' | 'unread'

/**
 * Closes connections whose clients ask and do not read. A request is under way until its answer is
 * taken, so without a limit a few silent connections with many requests each (HTTP pipelining) take
 * every place. `refused` is called for each connection that is closed.
 */
export function limitSlowReaders(
  listener: RequestListener,
  refused: (limit: ReadingLimit, address: string | undefined) => void,
  { unanswered, ms, bytesPerSecond }: ReadingLimits = READING_LIMITS,
): RequestListener {
  const open = new WeakMap<Socket, number>()
  const cut = (socket: Socket, limit: ReadingLimit) => {
    if (socket.destroyed) return
    refused(limit, socket.remoteAddress)
    socket.destroy()
  }
  return (request, response) => {
    const { socket } = request
    const count = (open.get(socket) ?? 0) + 1
    if (count > unanswered) return cut(socket, 'pipelined')
    open.set(socket, count)
    response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1))
    // The answer is whole, and those before it on this connection are taken.
    response.once('prefinish', () => {
      const patience = ms + (socket.writableLength / bytesPerSecond) * 1000
      const timer = setTimeout(() => cut(socket, 'unread'), patience).unref()
      response.once('close', () => clearTimeout(timer))
    })
    listener(request, response)
  }
}
