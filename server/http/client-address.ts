import type { Context } from 'hono'

/** What Node's server passes along with a request; absent where there is no connection. */
interface Connection {
  incoming?: { socket?: { remoteAddress?: string } }
}

/** The address at the other end of the connection; undefined for a request without one. */
export function clientAddress(c: Context): string | undefined {
  const connection = c.env as Connection | undefined
  return connection?.incoming?.socket?.remoteAddress
}
