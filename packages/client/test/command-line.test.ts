import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { listen } from '../../../test/listen.ts'
import { until } from '../../../test/program.ts'
import { runCommandLine } from '../src/cli/run.ts'
import { type CheckstandEvent, verify } from '../src/webhooks.ts'

const app = await startTestApp({ PAYER_PAUSE_MS: '0' })
const key = app.merchant.secretKey

/** The server, whose open connections can be broken. */
async function startServer(): Promise<{ url: string; breakConnections: () => void }> {
  const { fetch } = app.checkstand
  const server = createAdaptorServer({ fetch: (request, env) => fetch(request, env) }) as Server
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, breakConnections: () => server.closeAllConnections() }
}

const { url, breakConnections } = await startServer()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkstand-cli-'))
  vi.stubEnv('XDG_CONFIG_HOME', folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command as at a prompt; `typed` is what a person answers. */
async function run(args: readonly string[], typed?: string, signal = new AbortController().signal) {
  let [out, err] = ['', '']
  const input = Object.assign(Readable.from(typed === undefined ? [] : [`${typed}\n`]), {
    isTTY: typed !== undefined,
  })
  const opened: string[] = []
  const code = await runCommandLine(args, {
    signal,
    input,
    write: (text) => (out += text),
    warn: (text) => (err += text),
    browse: (address) => opened.push(address),
  })
  return { code, out, err, opened, json: () => JSON.parse(out) }
}

describe('the command line', () => {
  it('keeps a key that works, in a file that only its user reads', async () => {
    const wrong = await run(['login', url, '--key'], 'sk_test_wrong')
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('request ')])
    const { code, out } = await run(['login', url, '--key'], key)
    expect([code, out]).toEqual([0, expect.stringContaining('(test)')])
    const file = join(folder, 'checkstand/config.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.default.key).toBe(key)
    expect((await run(['whoami', '--json'])).json()).toMatchObject({ type: 'API_KEY' })
  })

  it('makes links, lists them and archives one', async () => {
    const made = await run([
      'links',
      'create',
      '--amount',
      '24.00',
      '--name',
      'Coffee',
      '--open',
      '--json',
    ])
    const { id, url: address } = made.json()
    expect(made.opened).toEqual([address])
    const listed = (await run(['links', 'list', '--limit', '1', '--json'])).json()
    expect(listed.payment_links).toMatchObject([{ id, name: 'Coffee', amount: '24.00' }])
    expect((await run(['links', 'list', '--limit', '1'])).out).toContain('AMOUNT')
    expect((await run(['links', 'archive', id])).code).toBe(0)
    expect((await run(['links', 'get', id, '--json'])).json().archived).not.toBeNull()
  })

  it('changes a link, and draws its QR code', async () => {
    const { id } = (await run(['links', 'create', '--amount', '9.00', '--json'])).json()
    const changed = await run(['links', 'edit', id, '--name', 'Tea', '--json'])
    expect(changed.json().options).toMatchObject({ name: 'Tea', amount: '9.00' })
    expect((await run(['links', 'edit', id])).err).toBe('Nothing to change is named\n')
    const file = join(folder, 'code.svg')
    expect((await run(['links', 'qr', id, '--out', file])).code).toBe(0)
    expect(await readFile(file, 'utf8')).toMatch(/^<svg /)
    await run(['links', 'archive', id])
    expect(await run(['links', 'qr', id])).toMatchObject({ code: 1, out: '' })
  })

  it('tests webhooks, and replays an event to one', async () => {
    const instance_webhook = { url: 'https://shop.example/hooks', events: ['account.*'] }
    const made = await app.merchant.api('/instance_webhooks', { body: { instance_webhook } })
    const { id } = made.json.instance_webhook
    const { json: listed } = await run(['webhooks', 'list', '--json'])
    expect(listed().instance_webhooks).toMatchObject([{ id, enabled: true }])
    const tested = (await run(['webhooks', 'test', id, '--json'])).json()
    expect(tested).toMatchObject({ type: 'webhook.test' })
    await app.merchant.api('/accounts', { body: { account: { crm_key: 'again' } } })
    const [event] = (await run(['events', 'list', '--types', 'account.*', '--json'])).json().events
    expect((await run(['webhooks', 'replay', id, event.id, '--json'])).json()).toMatchObject({
      deliveries: 1,
    })
    expect((await run(['webhooks', 'replay', id])).err).toBe('The id of the event is missing\n')
    await app.merchant.api(`/instance_webhooks/${id}`, { method: 'DELETE' })
  })

  it('makes true events happen, and asks before money moves', async () => {
    expect((await run(['trigger', 'payment.success'])).code).toBe(0)
    const list = ['payments', 'list', '--where', 'status=SUCCESS', '--limit', '1', '--json']
    const [payment] = (await run(list)).json().payments
    const refund = ['payments', 'refund', payment.id, '--amount', '4.00']
    expect((await run(refund, 'n')).err).toBe('Nothing was done\n')
    expect((await run(refund)).err).toContain('--yes is needed')
    const given = await run([...refund, '--json', '--idempotency-key', 'once'], 'y')
    expect(JSON.parse(given.out.slice(given.out.indexOf('{')))).toMatchObject({
      amount: '4.00',
      status: 'SUCCESS',
    })
    await run([...refund, '--yes', '--idempotency-key', 'once'])
    const read = (await run(['payments', 'get', payment.id, '--json'])).json()
    expect(read.refunded_amount).toBe('4.00')
  })

  it('pulls words, pushes them in one revision, and checks them', async () => {
    const dir = join(folder, 'strings')
    const string = { text: 'Your gift', language: 'default' }
    await app.merchant.api('/strings/checkout.amount', { method: 'PUT', body: { string } })
    expect((await run(['strings', 'pull', '--dir', dir, '--languages', 'default,fr'])).code).toBe(0)
    const base = join(dir, 'default.json')
    expect(JSON.parse(await readFile(base, 'utf8'))).toEqual({ 'checkout.amount': 'Your gift' })
    await writeFile(base, JSON.stringify({ 'checkout.amount': 'Your donation' }))
    const push = ['strings', 'push', '--dir', dir]
    const dry = await run([...push, '--json'])
    expect(dry.json().changes).toMatchObject([{ id: 'checkout.amount', before: 'Your gift' }])
    expect((await run(['strings', 'check', '--dir', dir])).code).toBe(1)
    expect((await run([...push, '--publish', '--note', 'Donations'])).out).toContain('1 published')
    expect((await run([...push])).out).toContain('changes: none')
    await writeFile(base, JSON.stringify({ 'checkout.pay': 'Pay {sum}' }))
    const refused = await run(push)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('checkout.pay')])
  })

  it.each([
    ['bash', 'complete -F'],
    ['zsh', '#compdef'],
    ['fish', '__fish_use_subcommand'],
  ])('completes words in %s', async (shell, words) => {
    const { out } = await run(['completion', shell])
    expect(out).toContain(words)
    expect(out).toContain('refund')
  })

  it('says what is wrong: 2 for the command, 1 for the server', async () => {
    expect((await run(['nonsense'])).code).toBe(2)
    expect((await run(['links', 'remove'])).err).toContain(
      'create, edit, list, get, archive, open, qr',
    )
    expect((await run(['links', 'list', '--limit', 'many'])).code).toBe(2)
    expect((await run(['links', 'get'])).err).toBe('The id of the link is missing\n')
    expect((await run(['links', 'get', 'pl_none'])).code).toBe(1)
    expect((await run(['trigger', 'moon.full'])).err).toContain('trigger knows')
    expect((await run(['whoami', '--profile', 'other'])).err).toContain('There is no profile other')
    expect((await run(['--help'])).out).toContain('listen')
  })
})

describe('listen', () => {
  it('forwards every event, signed, and loses none over a broken connection', async () => {
    const got: CheckstandEvent[] = []
    let secret = ''
    let addressed = ''
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      addressed = `${request.url} ${String(request.headers['x-tenant'])}`
      got.push(await verify(Buffer.concat(parts), request.headers, secret))
      response.writeHead(204).end()
    }
    const shop = createServer((request, response) => void receive(request, response))
    await listen(shop)
    const { port } = shop.address() as AddressInfo
    const ended = new AbortController()
    let out = ''
    const args = [
      'listen',
      '--forward-to',
      `127.0.0.1:${port}/hooks?tenant=7`,
      '--header',
      'X-Tenant: 7',
    ]
    const running = runCommandLine([...args, '--events', 'account.created'], {
      signal: ended.signal,
      write: (text) => {
        out += text
        secret ||= /whsec_\S+/.exec(text)?.[0] ?? ''
      },
      warn: (text) => (out += text),
    })
    await until('the stream', async () => out.includes('Listening to'))
    const make = (name: string) =>
      app.merchant.api('/accounts', { body: { account: { crm_key: name } } })
    // Before the first event too.
    const names = ['first']
    breakConnections()
    await make('first')
    for (let round = 0; round < 4; round += 1) {
      for (const name of [`a${round}`, `b${round}`]) {
        names.push(name)
        await make(name)
      }
      breakConnections()
      // Events of the time without a connection.
      names.push(`c${round}`)
      await make(`c${round}`)
      await until('the events', async () => got.length >= names.length)
    }
    ended.abort()
    expect(await running).toBe(0)
    const seen = got.map(
      (event) => (event as CheckstandEvent<'account.created'>).data.account.crm_key,
    )
    expect(seen).toEqual(names)
    expect(addressed).toBe('/hooks?tenant=7 7')
    expect(out).toContain('204 in')
    expect(out).toContain('The connection is lost')
  })

  it('goes on when the program that is forwarded to is away', async () => {
    const ended = new AbortController()
    const running = run(
      ['listen', '--forward-to', '127.0.0.1:1', '--json'],
      undefined,
      ended.signal,
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    await app.merchant.api('/accounts', { body: { account: { crm_key: 'away' } } })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    ended.abort()
    const { code, out } = await running
    expect(code).toBe(0)
    expect(out).toContain('"status":null')
  })
})
