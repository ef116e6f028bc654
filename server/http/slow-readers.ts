import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

export interface ReadingLimits {
  /** Pipelined requests of one connection without a complete response. */
  unanswered: number
  /** Milliseconds for any response, plus the time that its bytes take at `bytesPerSecond`. */
  ms: number
  bytesPerSecond: number
}

/** Browsers and common clients do not pipeline; 8 kB a second is a slow mobile connection. */
export const READING_LIMITS: ReadingLimits = { unanswered: 16, ms: 30_000, bytesPerSecond: 8_000 }

export type ReadingLimit = 'pipelined' | 'unread'

/**
 * Closes connections whose clients do not read their responses. A request stays open until its
 * response is read, so a few connections with many pipelined requests could otherwise exhaust the
 * request limit. `refused` is called for each closed connection.
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
    // This response and those before it on the connection have been sent.
    response.once('prefinish', () => {
      const patience = ms + (socket.writableLength / bytesPerSecond) * 1000
      const timer = setTimeout(() => cut(socket, 'unread'), patience).unref()
      response.once('close', () => clearTimeout(timer))
    })
    listener(request, response)
  }
}
