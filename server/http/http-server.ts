import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'

/**
 * Limits of a connection in milliseconds and bytes. A slow client gets 408 and is disconnected, so
 * that it cannot exhaust the sockets.
 */
export const SERVER_LIMITS = {
  /** For the whole request, its body included. */
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  /**
   * Of the request line and all headers. The longest `criteria` takes 48 000 bytes when all of its
   * 16 000 characters are percent-encoded. A connection that sends headers slowly holds this much.
   */
  maxHeaderSize: 65_536,
  /** Without a byte in either direction while a request is under way: longer than any handler takes. */
  timeout: 60_000,
  /**
   * How long a connection is kept between two requests: longer than balancers keep theirs (usually
   * 60 seconds), which would otherwise send a request into a connection that is just being closed.
   */
  keepAliveTimeout: 75_000,
  /** How often the two times are looked at; Node's own pace would make 10 seconds up to 40. */
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions & { timeout: number }

export type ServerLimits = Record<keyof typeof SERVER_LIMITS, number>

/** A server of Node's with limits; those of the product unless a test hands in shorter ones. */
export function createHttpServer(
  listener: RequestListener,
  { timeout, ...limits }: ServerLimits = SERVER_LIMITS,
): Server {
  const server = createServer(limits, listener)
  server.timeout = timeout
  return server
}
