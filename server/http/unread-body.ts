import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Limits for reading the rest of an unwanted body. */
export interface UnreadBodyLimits {
  /** Milliseconds. */
  ms: number
  bytes: number
}

/** More than the largest body of any route. */
const PATIENCE: UnreadBodyLimits = { ms: 10_000, bytes: 16_000_000 }
/** Milliseconds. Node emits no data of a body that nothing has read before the response. */
const LOOK_AT_BYTES_MS = 20

/**
 * Delivers the response to a request whose body is still arriving: it sends `Connection: close` and
 * keeps reading until the client has received the response. Closing the connection while the client
 * is sending would reset it and lose the response (RFC 9112 section 9.6). The bytes are discarded;
 * beyond `patience` the connection is closed.
 */
export function closeUnreadBodies(
  listener: RequestListener,
  patience: UnreadBodyLimits = PATIENCE,
): RequestListener {
  const closing = new WeakSet<Socket>()
  return (request, response) => {
    const { socket } = request
    // The client has received `Connection: close` and retries on another connection.
    if (closing.has(socket)) return
    if (hasBody(request)) {
      beforeHead(response, () => {
        if (request.complete) return
        closing.add(socket)
        response.setHeader('Connection', 'close')
        const close = socket.destroySoon.bind(socket)
        // Node calls this once the response is written.
        socket.destroySoon = () => closeSlowly(request, { close, patience })
      })
    }
    listener(request, response)
  }
}

/** Returns whether a request's headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function beforeHead(response: ServerResponse, act: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    act()
    return writeHead(...head)
  }
}

/** Ends the sending side and closes the connection once the client stops sending. */
function closeSlowly(
  request: IncomingMessage,
  { close, patience }: { close: () => void; patience: UnreadBodyLimits },
): void {
  if (request.readableEnded) return close()
  const { socket } = request
  const enough = socket.bytesRead + patience.bytes
  const timer = setTimeout(() => socket.destroy(), patience.ms)
  const watch = setInterval(() => {
    if (socket.bytesRead > enough) socket.destroy()
  }, LOOK_AT_BYTES_MS)
  socket.once('close', () => {
    clearTimeout(timer)
    clearInterval(watch)
  })
  socket.end()
  // The reader of the body has finished or given up.
  request.removeAllListeners('data')
  request.once('end', close)
  request.resume()
}
