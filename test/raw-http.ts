import { connect, type Socket } from 'node:net'
import { atEnd } from './at-end.ts'

/** HTTP as bytes on a connection, for what no client would send. */
export interface RawConnection {
  socket: Socket
  send: (text: string | Uint8Array) => void
  /** Everything that came so far. */
  received: () => string
  /** Resolves with everything that came, once the server has closed. */
  closed: Promise<string>
}

/**
 * Opens a connection to a port of this machine until the end of the test. `allowHalfOpen` keeps
 * sending after the server's end.
 */
export async function openRaw(
  port: number,
  { allowHalfOpen = false } = {},
): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  atEnd(() => socket.destroy())
  let heard = ''
  socket.on('data', (bytes) => (heard += String(bytes)))
  // A server that cuts off may reset the connection, which means the same as its end.
  socket.on('error', () => {})
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(heard)))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return { socket, send: (text) => void socket.write(text), received: () => heard, closed }
}
