import { Agent, createServer, request, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { listen } from '../../test/listen.ts'
import { openRaw } from '../../test/raw-http.ts'
import { closeUnreadBodies } from './unread-body.ts'

const app = await startTestApp({ PORT: '0', ALLOWED_HOSTS: 'localhost', PAYER_RATE: '0' })
const port = await app.checkstand.start()

const MEGABYTE = Buffer.alloc(1_000_000, ' ')

interface Upload {
  path: string
  megabytes: number
  headers?: Record<string, string>
  agent?: Agent
}

/** Sends an upload to its end before reading the response, like simple clients. */
function upload({ path, megabytes, headers = {}, agent }: Upload): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        port,
        path,
        method: 'POST',
        agent: agent ?? false,
        headers: { host: 'localhost', ...headers },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.once('end', () => resolve(`${response.statusCode} ${text}`))
      },
    )
    call.once('error', reject)
    for (let sent = 0; sent < megabytes; sent += 1) call.write(MEGABYTE)
    call.end()
  })
}

const json = { 'content-type': 'application/json' }

describe('an upload of ten megabytes', () => {
  const refusals: [status: number, why: string, Partial<Upload>][] = [
    [401, 'without credentials', { path: '/c/api/instances/default/strings' }],
    [
      401,
      'with a token that is not good',
      { path: '/c/api/strings', headers: { authorization: 'Bearer x' } },
    ],
    [404, 'to an unknown address', { path: '/nowhere' }],
    [404, 'to an unknown link', { path: '/pay/pl_unknown_1/checkouts', headers: json }],
    [401, 'without a session', { path: '/pay/checkouts/current/submit', headers: json }],
    [400, 'to an address that takes less', { path: '/csp' }],
    [413, 'to the sandbox', { path: '/sandbox/tokens', headers: json }],
    [421, 'for another host', { path: '/pay/x/checkouts', headers: { host: 'elsewhere' } }],
  ]

  it.each(refusals)(
    'receives %i %s, although it is sent to its end',
    async (status, _why, request) => {
      const sized = await upload({
        path: '',
        megabytes: 10,
        ...request,
        headers: { ...request.headers, 'content-length': '10000000' },
      })
      expect(sized.slice(0, 4)).toBe(`${status} `)
      const chunked = await upload({ path: '', megabytes: 10, ...request })
      expect(chunked.slice(0, 4)).toBe(`${status} `)
    },
  )

  it('receives 400 for its size with valid credentials, and the next request succeeds', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const headers = { ...json, authorization: basic(`${app.merchant.secretKey}:`) }
    const path = '/c/api/instances/default/strings'
    for (let turn = 0; turn < 5; turn += 1) {
      const size: Record<string, string> = turn % 2 === 0 ? { 'content-length': '10000000' } : {}
      expect(
        await upload({ path, megabytes: 10, headers: { ...headers, ...size }, agent }),
      ).toContain('SVC-7006')
      expect(await upload({ path, megabytes: 0, headers, agent })).toMatch(
        /^400 .*strings is required/,
      )
    }
  })
})

async function serve(listener: RequestListener, patience?: { ms: number; bytes: number }) {
  const server = createServer(closeUnreadBodies(listener, patience))
  return openRaw(await listen(server), { allowHalfOpen: patience !== undefined })
}

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n'
const refuse: RequestListener = (_request, response) => {
  response.writeHead(400, { 'content-length': 2 })
  response.end('no')
}

describe('a connection with an unread body', () => {
  it('receives Connection: close at once, before the end of the body', async () => {
    const { send, received: heard } = await serve(refuse)
    send(HEAD)
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 400 [^]*Connection: close[^]*\r\n\r\nno$/)
  })

  it('is closed without a reset at the end of the body', async () => {
    const { send, closed, socket } = await serve(refuse)
    const failed: Error[] = []
    socket.on('error', (error) => failed.push(error))
    send(HEAD)
    send(MEGABYTE)
    expect(await closed).toContain('HTTP/1.1 400 ')
    expect(failed).toEqual([])
  })

  it('is closed when the body takes too long', async () => {
    const { send, closed } = await serve(refuse, { ms: 50, bytes: 1e9 })
    send(HEAD)
    const more = setInterval(() => send('slowly'), 5)
    expect(await closed).toContain('HTTP/1.1 400 ')
    clearInterval(more)
  })

  it('is closed when the body is too large', async () => {
    const { send, closed } = await serve(refuse, { ms: 600_000, bytes: 5_000_000 })
    send(HEAD.replace('1000000', '1000000000'))
    let megabytes = 0
    const more = setInterval(() => {
      megabytes += 1
      send(MEGABYTE)
    }, 5)
    expect(await closed).toContain('HTTP/1.1 400 ')
    clearInterval(more)
    expect(megabytes).toBeLessThan(500)
  })

  it('ignores requests after the body', async () => {
    const urls: string[] = []
    const { send, closed } = await serve((request, response) => {
      urls.push(String(request.url))
      refuse(request, response)
    })
    send(HEAD)
    send(MEGABYTE)
    send('POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
    await closed
    expect(urls).toEqual(['/'])
  })

  it('is kept if the body arrived together with its headers', async () => {
    const { send, received: heard } = await serve((request, response) => {
      setImmediate(() => refuse(request, response))
    })
    const whole = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345'
    send(whole)
    await expect.poll(heard).toMatch(/Connection: keep-alive[^]*no$/)
    send(whole)
    await expect.poll(heard).toMatch(/no[^]*no$/)
  })
})
