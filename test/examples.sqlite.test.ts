import { spawn, spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signEvent, sampleEvent } from '../packages/client/src/testing.ts'
import { CARDS } from './cards.ts'
import { createHttpClient } from './client.ts'
import { isDeep } from './depth.ts'
import { openTestDatabase } from './database.ts'
import { packPackage, run } from './packed-package.ts'
import { openPayerClient } from './payer-client.ts'
import { freePort, PROGRAM_KEY, startProgram, until } from './program.ts'
import { hasWordPress, installWordPress } from './wordpress.ts'

/** Every example whose language is installed takes a payment, and believes neither a forged webhook nor an address. */

const EXAMPLES = join(import.meta.dirname, '../examples')
const NEXT = 'node_modules/next/dist/bin/next'

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
interface Shop {
  isThere: () => boolean
  /** Installs what it needs. Returns the folder in which it runs, by default that of the examples. */
  install?: (base: string, env: Readonly<Record<string, string>>) => Promise<string>
  command: (port: number) => string[]
  /** The path of its webhook, by default `/hooks`. */
  hooks?: string
}

const SHOPS: Readonly<Record<string, Shop>> = {
  hono: { command: () => [process.execPath, 'hono/shop.mjs'], isThere: () => true },
  express: { command: () => [process.execPath, 'express/shop.mjs'], isThere: () => true },
  next: {
    isThere: () => isDeep,
    install: installNext,
    command: (port) => [process.execPath, NEXT, 'start', '-p', String(port), '-H', '127.0.0.1'],
  },
  php: {
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'php/shop.php'],
    isThere: () => succeeds('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'),
  },
  django: {
    command: () => ['/usr/bin/python3', 'django/shop.py'],
    isThere: () => succeeds('/usr/bin/python3', '-c', 'import django'),
  },
  ruby: {
    command: () => ['ruby', 'ruby/shop.rb'],
    isThere: () => succeeds('ruby', '-e', 'require "sinatra/base"; require "puma"'),
  },
  wordpress: {
    isThere: () => isDeep && hasWordPress(),
    install: (base, env) =>
      installWordPress(join(EXAMPLES, 'wordpress/checkstand.php'), base, {
        CHECKSTAND_URL: env['CHECKSTAND_URL'] ?? '',
        CHECKSTAND_KEY: env['CHECKSTAND_KEY'] ?? '',
        CHECKSTAND_WEBHOOK_SECRET: env['WEBHOOK_SECRET'] ?? '',
      }),
    command: (port) => ['php', '-S', `127.0.0.1:${port}`],
    hooks: '/wp-json/checkstand/v1/hooks',
  },
}

/** Builds the shop of Next.js in a project of its own, from the registry, with the packed client. */
async function installNext(): Promise<string> {
  const { folder } = await packPackage(join(EXAMPLES, '../packages/client'))
  await cp(join(EXAMPLES, 'next'), folder, { recursive: true })
  const packages = ['next@16', 'react@19', 'react-dom@19', 'typescript@5', '@types/react@19']
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  await run(process.execPath, [NEXT, 'build'], { cwd: folder })
  return folder
}

/** Installing a framework from the registry and building with it takes a minute on two cores. */
const INSTALL_MS = 300_000

describe.each(Object.entries(SHOPS))('the shop in %s', (_name, shop) => {
  const timeout = shop.install ? INSTALL_MS : undefined
  it.runIf(shop.isThere())('takes a payment', { timeout }, async () => {
    const database = await openTestDatabase()
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const hooks = base + (shop.hooks ?? '/hooks')
    const checkstand = await startProgram(database.url, { OUTBOUND_ALLOW: '127.0.0.1/32' })
    const merchant = createHttpClient(checkstand.base)
    const made = await merchant.api('/instance_webhooks', {
      body: { instance_webhook: { url: hooks, events: ['payment_link.*'] } },
    })
    expect(made.status, made.text).toBe(200)
    const env = {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      CHECKSTAND_URL: checkstand.base,
      CHECKSTAND_KEY: PROGRAM_KEY,
      WEBHOOK_SECRET: made.json.instance_webhook.secret as string,
    }
    const cwd = (await shop.install?.(base, env)) ?? EXAMPLES
    const [program = '', ...args] = shop.command(port)
    const running = spawn(program, args, { cwd, stdio: 'ignore', env })
    try {
      await until('the shop to open', () =>
        fetch(base).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      const sent = await pressButton(base)
      const url = sent.headers.get('location') ?? ''
      const id = /pl_\w+$/.exec(url)?.[0] ?? ''
      const { json } = await merchant.api(`/payment_links/${id}`)
      const { alt_key: number, success_url: thanks } = json.payment_link.options
      const read = async (address: string) => (await fetch(address)).text()
      expect(await read(thanks)).toContain('Not paid yet')

      // Who knows no secret changes nothing.
      const event = sampleEvent('payment_link.payment_success', { payment_link: { id } })
      const forged = await fetch(hooks, { method: 'POST', ...(await signEvent(event)) })
      expect(forged.status).toBe(400)
      expect(JSON.parse(await read(`${base}/orders/${number}`))).toEqual({
        link: id,
        isPaid: false,
      })
      expect((await fetch(thanks.replace(number, 'made-up'))).status).toBe(404)

      await (await openPayerClient(merchant, id)).payByCard(CARDS.approve)
      expect(await read(thanks)).toContain('Paid. Thank you!')
      await until(
        'the webhook',
        async () =>
          (JSON.parse(await read(`${base}/orders/${number}`)) as { isPaid: boolean }).isPaid,
      )
    } finally {
      running.kill()
      checkstand.process.kill()
      await checkstand.ended
      await database.drop()
    }
  })
})

/** Sends the form of the shop's first page, as a browser would. */
async function pressButton(base: string): Promise<Response> {
  const html = await (await fetch(base)).text()
  const found = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
  const fields = [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  )
  return fetch(new URL(found(/<form[^>]* action="([^"]*\/buy)"/), base), {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
}
