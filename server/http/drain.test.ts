import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { drainer } from './drain.ts'
import { listen } from './listeners.ts'

async function open(answer: Parameters<typeof createServer>[1] = (_, response) => response.end()) {
  const server: Server = createServer(answer)
  const drainServer = drainer(server)
  const { port, stop } = await listen(server, { port: 0, host: '127.0.0.1' })
  const drain = () => drainServer(stop)
  onTestFinished(() => server.closeAllConnections())
  const dial = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return { drain, dial, url: `http://127.0.0.1:${port}` }
}

const msOf = async (ending: Promise<unknown>) => {
  const begun = performance.now()
  await ending
  return performance.now() - begun
}

it('does not wait for a connection that a browser has opened ahead of any request', async () => {
  const { drain, dial } = await open()
  const socket = await dial()
  const closed = once(socket, 'close')
  expect(await msOf(drain())).toBeLessThan(5000)
  await closed
})

it('answers a request that has begun, also one that is still arriving', async () => {
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const { drain, dial, url } = await open(
    (_, response) => void release.then(() => response.end('1')),
  )
  const pending = fetch(url)
  const arriving = await dial()
  arriving.write('GET / HTTP/1.1\r\n')
  let received = ''
  arriving.on('data', (chunk) => (received += String(chunk)))
  await new Promise((done) => setTimeout(done, 100))
  const closed = once(arriving, 'close')
  const drained = drain()
  await new Promise((done) => setTimeout(done, 800))
  arriving.write('Host: shop.test\r\n\r\n')
  resolve()
  expect(await (await pending).text()).toBe('1')
  await Promise.all([drained, closed])
  expect(received).toMatch(/^HTTP\/1\.1 200 /)
})
