import { readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { expect, it, vi } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { atEnd } from '../../../test/at-end.ts'
import { CARDS } from '../../../test/cards.ts'
import { blocksOf } from '../../../test/docs/markdown.ts'
import { listen } from '../../../test/listen.ts'
import { packPackage, run } from '../../../test/packed-package.ts'
import { openPayerClient } from '../../../test/payer-client.ts'
import { TEST_SECRET } from '../src/testing.ts'

/** The samples of the guides are programs, which run as they stand, from the installed package. */

const ROOT = join(import.meta.dirname, '../../..')
const app = await startTestApp({ PAYER_PAUSE_MS: '0' })
const packed = await packPackage(join(import.meta.dirname, '..'))
const server = createAdaptorServer({ fetch: app.checkstand.fetch }) as Server
const url = `http://127.0.0.1:${await listen(server)}`

/** Pays the link that a sample has made, where the guide has a payer do it. */
async function pay(link: string): Promise<string> {
  const payer = await openPayerClient(app, link)
  return (await payer.payByCard(CARDS.approve)).json.outcome
}
const payer = createServer((request, response) => {
  void pay(request.url?.slice(1) ?? '').then((outcome) => response.end(outcome))
})
const payerUrl = `http://127.0.0.1:${await listen(payer)}`
atEnd(() => payer.close())
atEnd(() => server.close())

/** Returns the samples of a page in a language, for this server. */
async function samples(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return blocksOf(text)
    .filter((block) => block.language === language)
    .map((block) =>
      block.text
        .replace(/https:\/\/pay\.shop\.example|http:\/\/localhost:4242/g, url)
        .replace("'sk_…'", 'process.env.CHECKSTAND_KEY'),
    )
}

/** Checks the types of a program, runs it, and returns what it printed. */
async function execute(name: string, code: string): Promise<string> {
  vi.stubEnv('CHECKSTAND_KEY', app.merchant.secretKey)
  vi.stubEnv('SECRET_KEY', app.merchant.secretKey)
  vi.stubEnv('WEBHOOK_SECRET', TEST_SECRET)
  await writeFile(join(packed.folder, 'package.json'), '{"private": true, "type": "module"}')
  await writeFile(join(packed.folder, name), code)
  const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'nodenext']
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const check = run(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...types, name], {
    cwd: packed.folder,
  })
  await check.catch(({ stdout }) => expect(stdout, 'types of the samples').toBe(''))
  return packed.execute(name, code)
}

it('runs the samples of the guide of the client', async () => {
  const [create = '', change = '', refund = '', expand = '', lists = '', webhook = '', own = ''] =
    await samples('docs/client.md', 'ts')
  const printed = await execute(
    'guide.ts',
    `${create}
${change}
await fetch('${payerUrl}/' + link.id)
${refund}
${expand}
${lists}
const paid: string[] = []
const markPaid = async (id: string) => void paid.push(id)
${webhook}
${own}
const answer = await POST(new Request('https://shop.example', { method: 'POST', body, headers }))
console.log(total, data.length, answer.status, paid)
`,
  )
  // Nobody is known who has paid.
  expect(printed.split('\n')).toEqual([
    expect.stringContaining('/pay/pl_'),
    'undefined',
    expect.stringMatching(/^\S+ 24\.00$/),
    "1 1 204 [ 'pl_1' ]",
    '',
  ])
})

it.each([
  ['README.md', /The payer opens .*\/pay\/pl_\w+\n.*: ACTIVE\n/],
  ['packages/client/README.md', /\/pay\/pl_\w+\n/],
])('runs the sample of %s', async (page, printed) => {
  const [sample = ''] = await samples(page, 'ts')
  expect(await execute('readme.ts', sample)).toMatch(printed)
})

it('runs the receiver of the guide of webhooks', async () => {
  const [receiver = '', keepsNewest = ''] = await samples('docs/webhooks.md', 'js')
  const library = 'node_modules/standardwebhooks'
  await symlink(join(ROOT, library), join(packed.folder, library))
  const printed = await packed.execute(
    'receiver.mjs',
    `${receiver.replace('}).listen(3000)', '}).listen(0, send)').replace('createServer(', 'const receiver = createServer(')}
import { sampleEvent, signEvent } from 'checkstand-client/testing'
async function send() {
  const event = sampleEvent('payment_link.payment_success', { payment_link: { id: 'pl_1', v: 2 } })
  const { body, headers } = await signEvent(event)
  const post = async (body) =>
    (await fetch('http://127.0.0.1:' + receiver.address().port, { method: 'POST', body, headers })).status
  console.log(await post(body), await post(body.replace('pl_1', 'pl_2')))
  receiver.close()
  const known = new Map([['pl_1', { v: 3 }]])
${keepsNewest}
  console.log(known.get('pl_1').v)
}
`,
  )
  expect(printed).toContain('payment_link.payment_success')
  expect(printed).toContain('204 400\n3\n')
})
