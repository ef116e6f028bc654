import type { Server } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { atEnd } from '../../../test/at-end.ts'
import { isDeep } from '../../../test/depth.ts'
import { listen } from '../../../test/listen.ts'
import { packPackage, run } from '../../../test/packed-package.ts'

/** The packed client in the runtimes that it names, which a deep run gets from the registry. */

const NODE_18 = 'node@18'
const BUN = 'bun@1.4.5'
const DENO = 'deno@2.9.6'
const WORKERS = 'miniflare@4'

/** Calls a server, reads a list, meets an error, and takes an event, a forged one too. */
const USE = `
import { Checkstand, NotFound } from 'checkstand-client'
import { handle } from 'checkstand-client/webhooks'
import { sampleEvent, signEvent, TEST_SECRET } from 'checkstand-client/testing'

export async function use(baseUrl, key) {
  const checkstand = new Checkstand({ baseUrl, key })
  const { id } = await checkstand.paymentLinks.create({ options: { amount: '24.00' } })
  const found = []
  for await (const link of checkstand.paymentLinks.list({ where: { id } })) found.push(link.id)
  const error = await checkstand.paymentLinks.get('pl_none').catch((error) => error)
  const taken = []
  const on = { 'account.created': ({ data }) => void taken.push(data.account.id) }
  const { body, headers } = await signEvent(sampleEvent('account.created', { account: { id: 'acc_1' } }))
  const post = (body) => new Request('https://shop.example', { method: 'POST', body, headers })
  const answers = []
  for (const text of [body, body.replace('acc_1', 'acc_2')]) {
    answers.push((await handle(post(text), { secret: TEST_SECRET, on })).status)
  }
  return [found.length === 1 && found[0] === id, error instanceof NotFound, answers, taken].join(' ')
}
`
const USED = 'true true 204,400 acc_1\n'

describe.runIf(isDeep)('the client', async () => {
  const app = await startTestApp()
  const server = createAdaptorServer({ fetch: app.checkstand.fetch }) as Server
  atEnd(() => server.close())
  const url = `http://127.0.0.1:${await listen(server)}`
  const given = `'${url}', '${app.merchant.secretKey}'`
  const { folder, bundle } = await packPackage(join(import.meta.dirname, '..'))

  async function install(runtime: string): Promise<void> {
    await run('npm', ['install', '--no-audit', '--no-fund', runtime], { cwd: folder })
  }

  it.each([
    [NODE_18, ['node']],
    [BUN, ['bun', 'run']],
    [DENO, ['deno', 'run', '--node-modules-dir=manual', '--allow-net', '--allow-env']],
  ])('works on %s', async (runtime, [command = '', ...options]) => {
    await install(runtime)
    await writeFile(join(folder, 'use.mjs'), `${USE}\nconsole.log(await use(${given}))\n`)
    const program = join(folder, 'node_modules/.bin', command)
    const { stdout } = await run(program, [...options, 'use.mjs'], { cwd: folder })
    expect(stdout).toBe(USED)
  })

  it(`works in a worker of ${WORKERS}`, async () => {
    await install(WORKERS)
    const { code } = await bundle(
      `${USE}\nexport default { fetch: async () => new Response(await use(${given}) + '\\n') }`,
    )
    await writeFile(join(folder, 'worker.mjs'), code)
    await writeFile(
      join(folder, 'run.mjs'),
      `import { Miniflare } from 'miniflare'
      const worker = new Miniflare({
        modules: true, scriptPath: 'worker.mjs', compatibilityDate: '2025-01-01',
        compatibilityFlags: ['nodejs_compat'],
      })
      const answer = await worker.dispatchFetch('http://worker/')
      process.stdout.write(await answer.text())
      await worker.dispose()`,
    )
    const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: folder })
    expect(stdout).toBe(USED)
  })
})
