import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { URL } from 'node:url'

/** The way to a database server, for tests that break it. */
export interface TcpProxy {
  /** The database's address by this way. */
  url: string
  /** Nothing passes any more, and nobody hangs up: so does a server that was stopped. */
  silence: () => void
  /** Hangs up on everybody and takes nobody: so does a server that is down. */
  cut: () => void
  /** Takes connections again; those that were silenced stay so. */
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
