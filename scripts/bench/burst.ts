import { connect } from 'node:net'
import { fire } from './fire.ts'
import { percentile } from './percentile.ts'

const NEW = 200
const CONNECTIONS = 64
const SECONDS = 4
/** Until the load is at its full height. */
const SETTLED_MS = 1500

/** Milliseconds until new connections are answered, the middle one and the last. */
export interface Burst {
  middle: number
  last: number
}

/** Opens new connections at once while others create links without a pause. */
export async function measureBurst(origin: string): Promise<Burst> {
  const load = fire('create', origin, { connections: CONNECTIONS, seconds: SECONDS })
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
  const times = await Promise.all(Array.from({ length: NEW }, () => answerMs(new URL(origin))))
  await load
  return { middle: Math.round(percentile(times, 0.5)), last: Math.round(percentile(times, 1)) }
}

function answerMs({ hostname, port, host }: URL): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )
    socket.once('error', reject)
    socket.once('data', () => {
      resolve(performance.now() - began)
      socket.destroy()
    })
  })
}
