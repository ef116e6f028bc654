import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { URL } from 'node:url'

/** A TCP proxy to a database server, for tests of connection failures. */
export interface TcpProxy {
  /** The database's URL through the proxy. */
  url: string
  /** Stops forwarding without closing connections, as a stopped process does. */
  silence: () => void
  /** Closes and refuses all connections, as a server that is down does. */
  cut: () => void
  /** Accepts connections again; silenced ones stay silent. */
  mend: () => void
  close: () => void
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const url = new URL(databaseUrl)
  const to = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let state: 'open' | 'silent' | 'cut' = 'open'
  const server = createServer((near) => {
    sockets.add(near)
    near.on('close', () => sockets.delete(near)).on('error', () => {})
    if (state === 'cut') near.destroy()
    if (state !== 'open') return
    const far = connect(to)
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    silence() {
      state = 'silent'
      for (const socket of sockets) socket.unpipe().pause()
    },
    cut() {
      state = 'cut'
      hangUp()
    },
    mend: () => void (state = 'open'),
    close() {
      hangUp()
      server.close()
    },
  }
}
