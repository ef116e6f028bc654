import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signEvent, sampleEvent } from '../packages/client/src/testing.ts'
import { CARDS } from './cards.ts'
import { createHttpClient } from './client.ts'
import { isDeep } from './depth.ts'
import { openTestDatabase } from './database.ts'
import { openPayerClient } from './payer-client.ts'
import { freePort, PROGRAM_KEY, startProgram, until } from './program.ts'

/** Every example (one of them without a deep run) takes a payment, and believes neither a forged webhook nor an address. */

const ROOT = join(import.meta.dirname, '..')

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const SHOPS: Readonly<
  Record<string, { command: (port: number) => string[]; isThere: () => boolean }>
> = {
  hono: { command: () => [process.execPath, 'hono/shop.mjs'], isThere: () => true },
  express: { command: () => [process.execPath, 'express/shop.mjs'], isThere: () => isDeep },
  php: {
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'php/shop.php'],
    isThere: () => isDeep && succeeds('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'),
  },
  django: {
    command: () => ['/usr/bin/python3', 'django/shop.py'],
    isThere: () => isDeep && succeeds('/usr/bin/python3', '-c', 'import django'),
  },
  ruby: {
    command: () => ['ruby', 'ruby/shop.rb'],
    isThere: () => isDeep && succeeds('ruby', '-e', 'require "sinatra/base"; require "puma"'),
  },
}

describe.each(Object.entries(SHOPS))('the shop in %s', (_name, { command, isThere }) => {
  it.runIf(isThere())('takes a payment', async () => {
    const database = await openTestDatabase()
    const port = await freePort()
    const checkstand = await startProgram(database.url, { OUTBOUND_ALLOW: '127.0.0.1/32' })
    const merchant = createHttpClient(checkstand.base)
    const made = await merchant.api('/instance_webhooks', {
      body: {
        instance_webhook: { url: `http://127.0.0.1:${port}/hooks`, events: ['payment_link.*'] },
      },
    })
    expect(made.status, made.text).toBe(200)
    const [program = '', ...args] = command(port)
    const shop = spawn(program, args, {
      cwd: join(ROOT, 'examples'),
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: String(port),
        CHECKSTAND_URL: checkstand.base,
        CHECKSTAND_KEY: PROGRAM_KEY,
        WEBHOOK_SECRET: made.json.instance_webhook.secret,
      },
    })
    const base = `http://127.0.0.1:${port}`
    try {
      await until('the shop to open', () =>
        fetch(base).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      const sent = await fetch(`${base}/buy`, { method: 'POST', redirect: 'manual' })
      const url = sent.headers.get('location') ?? ''
      const id = /pl_\w+$/.exec(url)?.[0] ?? ''
      const { json } = await merchant.api(`/payment_links/${id}`)
      const { alt_key: number, success_url: thanks } = json.payment_link.options
      const read = async (address: string) => (await fetch(address)).text()
      expect(await read(thanks)).toContain('Not paid yet')

      // Who knows no secret changes nothing.
      const event = sampleEvent('payment_link.payment_success', { payment_link: { id } })
      const forged = await fetch(`${base}/hooks`, { method: 'POST', ...(await signEvent(event)) })
      expect(forged.status).toBe(400)
      expect(JSON.parse(await read(`${base}/orders/${number}`))).toEqual({
        link: id,
        isPaid: false,
      })
      expect((await fetch(`${base}/thanks?order=made-up`)).status).toBe(404)

      await (await openPayerClient(merchant, id)).payByCard(CARDS.approve)
      expect(await read(thanks)).toContain('Paid. Thank you!')
      await until(
        'the webhook',
        async () =>
          (JSON.parse(await read(`${base}/orders/${number}`)) as { isPaid: boolean }).isPaid,
      )
    } finally {
      shop.kill()
      checkstand.process.kill()
      await checkstand.ended
      await database.drop()
    }
  })
})
