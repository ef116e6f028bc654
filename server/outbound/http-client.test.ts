import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { createHttpClient, type OutboundRequest } from './http-client.ts'
import { listen } from '../../test/listen.ts'
import { freePort } from '../../test/program.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../test/certificate.ts'

type Handler = (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Starts a receiver on a free port of a local address. Returns the port. */
function receiver(handler: Handler, host = '127.0.0.1'): Promise<number> {
  return listen(
    createServer((incoming, outgoing) => void handler(incoming, outgoing)),
    host,
  )
}

/** One that speaks no HTTP, or does not speak it well. */
function socketReceiver(talk: (socket: Socket) => void): Promise<number> {
  return listen(createSocketServer(talk))
}

const request = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"event":"ü"}'),
  localhost: true,
  ...more,
})

const post = createHttpClient({ allow: [], deadlineMs: 2000 })
const impatient = createHttpClient({ allow: [], deadlineMs: 150 })

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe('a request', () => {
  it('sends its body and headers and returns the status', async () => {
    let seen: unknown
    const port = await receiver(async (incoming, response) => {
      seen = [
        incoming.method,
        incoming.url,
        incoming.headers['content-type'],
        await bodyOf(incoming),
      ]
      response.writeHead(202).end('thank you')
    })
    expect(await post(request(`http://127.0.0.1:${port}/hooks?key=1`))).toEqual({ status: 202 })
    expect(seen).toEqual(['POST', '/hooks?key=1', 'application/json', '{"event":"ü"}'])
  })

  it('reaches localhost by its name', async () => {
    const port = await receiver((_incoming, response) => void response.end())
    expect(await post(request(`http://localhost:${port}/`))).toEqual({ status: 200 })
  })

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    let calls = 0
    const port = await receiver((_incoming, response) => {
      calls += 1
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    expect(await post(request(`http://127.0.0.1:${port}/`))).toEqual({ status })
    expect(calls).toBe(1)
  })

  it('closes its connection', async () => {
    const connections = new Set<Socket>()
    const port = await receiver((incoming, response) => {
      connections.add(incoming.socket)
      response.end()
    })
    await post(request(`http://127.0.0.1:${port}/`))
    await post(request(`http://127.0.0.1:${port}/`))
    expect(connections.size).toBe(2)
  })
})

describe('a receiver', () => {
  it('that refuses the connection is a fault', async () => {
    const port = await freePort()
    expect(await post(request(`http://127.0.0.1:${port}/`))).toEqual({ fault: 'CONNECTION_FAILED' })
  })

  it('that never responds times out', async () => {
    const port = await receiver(() => {})
    expect(await impatient(request(`http://127.0.0.1:${port}/`))).toEqual({ fault: 'TIMEOUT' })
  })

  it('that drips its headers times out', async () => {
    const port = await socketReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 10)
      socket.on('close', () => clearInterval(drip))
    })
    expect(await impatient(request(`http://127.0.0.1:${port}/`))).toEqual({ fault: 'TIMEOUT' })
  })

  it('that never ends its body has responded', async () => {
    const port = await receiver((_incoming, response) => {
      response.writeHead(200).write('and then')
    })
    expect(await impatient(request(`http://127.0.0.1:${port}/`))).toEqual({ status: 200 })
  })

  it('that sends an endless body is cut off', async () => {
    const closed = Promise.withResolvers<void>()
    const port = await receiver((_incoming, response) => {
      const piece = Buffer.alloc(64 * 1024)
      const more = () => {
        while (response.write(piece));
      }
      response.writeHead(200)
      response.on('drain', more)
      response.on('close', () => closed.resolve())
      more()
    })
    const patient = createHttpClient({ allow: [], deadlineMs: 60_000 })
    expect(await patient(request(`http://127.0.0.1:${port}/`))).toEqual({ status: 200 })
    await closed.promise
  })

  it.each([
    ['hangs up', (socket: Socket) => socket.destroy()],
    ['hangs up politely', (socket: Socket) => socket.end()],
    ['speaks no HTTP', (socket: Socket) => socket.end('220 mail.example ESMTP\r\n')],
    [
      'wants another protocol',
      (socket: Socket) =>
        socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    [
      'sends endless headers',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n`),
    ],
  ])('that %s is a fault', async (_does, talk) => {
    const port = await socketReceiver((socket) => socket.once('data', () => talk(socket)))
    expect(await post(request(`http://127.0.0.1:${port}/`))).toEqual({ fault: 'CONNECTION_FAILED' })
  })

  it('without TLS has a fault of its own', async () => {
    const port = await socketReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await post(request(`https://127.0.0.1:${port}/`))).toEqual({ fault: 'TLS_FAILED' })
  })
})

describe('over TLS', () => {
  const secureReceiver = () =>
    listen(
      createSecureServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_incoming, response) => {
        response.end()
      }),
      '127.0.0.1',
    )

  it('an untrusted certificate is a fault', async () => {
    const port = await secureReceiver()
    expect(await post(request(`https://localhost:${port}/`))).toEqual({ fault: 'TLS_FAILED' })
  })

  it('a valid certificate is accepted for its own name only', async () => {
    const trusted = getCACertificates()
    setDefaultCACertificates([...trusted, TEST_CERTIFICATE])
    try {
      const port = await secureReceiver()
      expect(await post(request(`https://localhost:${port}/`))).toEqual({ status: 200 })
      const pinned = createHttpClient({ allow: [], resolve: async () => ['127.0.0.1'] })
      expect(await pinned(request(`https://shop.localhost:${port}/`))).toEqual({
        fault: 'TLS_FAILED',
      })
    } finally {
      setDefaultCACertificates(trusted)
    }
  })
})

describe('the address of a request', () => {
  it('is resolved once, so that DNS rebinding has no effect', async () => {
    const lookups = [['127.0.0.2'], ['169.254.169.254']]
    let resolved = 0
    const resolve = async () => lookups[resolved++] ?? []
    const port = await receiver((_incoming, response) => void response.end(), '127.0.0.2')
    const rebound = createHttpClient({ allow: [], resolve, deadlineMs: 2000 })
    expect(await rebound(request(`http://localhost:${port}/`))).toEqual({ status: 200 })
    expect(resolved).toBe(1)
    expect(await rebound(request(`http://localhost:${port}/`))).toEqual({
      fault: 'ADDRESS_REFUSED',
    })
  })

  it('is the checked address over TLS too, with the requested server name', async () => {
    const hello = Promise.withResolvers<string>()
    const port = await socketReceiver((socket) =>
      socket.once('data', (bytes: Buffer) => {
        hello.resolve(bytes.toString('latin1'))
        socket.destroy()
      }),
    )
    const pinned = createHttpClient({ allow: [], resolve: async () => ['127.0.0.1'] })
    await pinned(request(`https://shop.localhost:${port}/`))
    expect(await hello.promise).toContain('shop.localhost')
  })

  it('is the next address when the first one is dead', async () => {
    const port = await receiver((_incoming, response) => void response.end(), '127.0.0.3')
    const both = createHttpClient({ allow: [], resolve: async () => ['127.0.0.2', '127.0.0.3'] })
    expect(await both(request(`http://localhost:${port}/`))).toEqual({ status: 200 })
  })

  it('is never a private address of a public name, and nothing is sent there', async () => {
    let calls = 0
    const port = await receiver((_incoming, response) => {
      calls += 1
      response.end()
    })
    const inward = createHttpClient({ allow: [], resolve: async () => ['8.8.8.8', '127.0.0.1'] })
    expect(await inward(request('https://shop.example/'))).toEqual({ fault: 'ADDRESS_REFUSED' })
    expect(await post(request(`http://127.0.0.1:${port}/`, { localhost: false }))).toEqual({
      fault: 'ADDRESS_REFUSED',
    })
    expect(calls).toBe(0)
  })

  it('may be in a network that the operator allows', async () => {
    const inward = createHttpClient({ allow: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] })
    const outcome = await inward(request('https://intranet.example:8443/', { localhost: false }))
    // Nothing listens there, but the request is sent.
    expect(outcome.fault).toBe('CONNECTION_FAILED')
  })

  it('is a DNS fault when the name has no address', async () => {
    const lost = createHttpClient({ allow: [], resolve: async () => [] })
    expect(await lost(request('https://shop.example/'))).toEqual({ fault: 'DNS_FAILED' })
  })

  it('times out when the name server does not respond', async () => {
    const mute = createHttpClient({
      allow: [],
      resolve: () => new Promise(() => {}),
      deadlineMs: 50,
    })
    expect(await mute(request('https://shop.example/'))).toEqual({ fault: 'TIMEOUT' })
  })
})
