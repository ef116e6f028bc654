import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer, type Server as Listener, type ListenOptions } from 'node:net'

/**
 * Listeners of one port. libuv accepts one connection of a listener in a turn of the event loop, and a turn in which a
 * group of requests is worked off takes tens of milliseconds, so with a single listener a burst of new payers waits
 * for seconds.
 */
const LISTENERS = 64

/** Where systems share the connections of a port among its listeners. */
const SHARED_PORTS = ['linux', 'freebsd']

export interface Listening {
  port: number
  /** Stops accepting. Resolves when no listener is open, and no connection of the server's own. */
  stop: () => Promise<void>
}

/**
 * Listens with a server, on several listeners where the system permits it. Rejects when the port is taken, also by
 * another program that shares it.
 */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string },
  count = SHARED_PORTS.includes(process.platform) ? LISTENERS : 1,
): Promise<Listening> {
  if (count === 1) {
    await open(server, { port, host })
    return { port: portOf(server), stop: () => close([server]) }
  }
  // A shared port would be shared with a program that has it already.
  const alone = createServer()
  await open(alone, { port, host })
  const free = portOf(alone)
  await close([alone])
  const own = { port: free, host, reusePort: true }
  await open(server, own)
  const others = Array.from({ length: count - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    ),
  )
  await Promise.all(others.map((listener) => open(listener, own)))
  return { port: free, stop: () => close([server, ...others]) }
}

async function open(listener: Listener, options: ListenOptions): Promise<void> {
  listener.listen(options)
  await once(listener, 'listening')
}

async function close(listeners: readonly Listener[]): Promise<void> {
  const closed = listeners.map((listener) => once(listener, 'close'))
  for (const listener of listeners) listener.close()
  await Promise.all(closed)
}

function portOf(listener: Listener): number {
  const address = listener.address()
  return typeof address === 'object' && address ? address.port : 0
}
