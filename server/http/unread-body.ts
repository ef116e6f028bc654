import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How much of a body that is not wanted is read all the same, and for how long. */
export interface Patience {
  /** Milliseconds. */
  ms: number
  bytes: number
}

/** More than the largest body that any route takes. */
const PATIENCE: Patience = { ms: 10_000, bytes: 16_000_000 }

/**
 * Answers a request whose body is still on its way so that the answer arrives: with
 * `Connection: close`, and by reading on until the client has heard it. A connection that is closed
 * while its client is sending is reset, and the reset takes the answer along (RFC 9112 section 9.6).
 *
 * So refusals need not wait for what they refuse. What is read is thrown away; a client that goes on
 * beyond `patience` is cut off.
 */
export function closeUnreadBodies(
  listener: RequestListener,
  patience: Patience = PATIENCE,
): RequestListener {
  const closing = new WeakSet<Socket>()
  return (request, response) => {
    const { socket } = request
    // Its client has been told that the connection closes, and sends it again on another one.
    if (closing.has(socket)) return
    if (hasBody(request)) {
      beforeHead(response, () => {
        if (request.complete) return
        closing.add(socket)
        response.setHeader('Connection', 'close')
        const close = socket.destroySoon.bind(socket)
        // Node calls this once the answer is written.
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

/** Says that nothing more is sent, and closes once the client has stopped sending too. */
function closeSlowly(
  request: IncomingMessage,
  { close, patience }: { close: () => void; patience: Patience },
): void {
  if (request.readableEnded) return close()
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), patience.ms)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  const enough = socket.bytesRead + patience.bytes
  // Who read the body before has its answer, or has given up on it.
  request.removeAllListeners('data')
  request.on('data', () => {
    if (socket.bytesRead > enough) socket.destroy()
  })
  request.once('end', close)
  request.resume()
}
