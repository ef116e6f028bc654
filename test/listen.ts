import type { AddressInfo, Server, Socket } from 'node:net'
import { atEnd } from './at-end.ts'

/** Listens on a free port of this machine until the end of the test. Returns the port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
  })
  atEnd(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}
