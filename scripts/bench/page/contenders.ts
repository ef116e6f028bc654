import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { createHttpClient } from '../../../test/client.ts'
import { newLink } from '../../../test/payer-client.ts'
import { startProgram } from '../../../test/program.ts'
import { UNLIMITED } from '../merchant.ts'

/** Pages that are measured beside each other, each behind a server of its own on this machine. */

export interface Contender extends PageServer {
  name: string
  /** What is in the page once a payer sees the form. */
  form: string
  /** A condition in the page's own words, true once its script has taken over; '' for none. */
  alive: string
}

/** Static files on this machine, such as a shop whose link opens our page in a dialog over its own. */
export interface PageServer {
  url: string
  close: () => void
}

/** Our own page, as the real server serves it from a database in `folder`, and a shop that embeds it. */
export async function ownPage(folder: string): Promise<Contender & { shop: PageServer }> {
  const { base, process } = await startProgram(`file:${folder}/page.db`, {
    ...UNLIMITED,
    WARM_UP: '1',
  })
  const merchant = createHttpClient(base)
  const { id } = await newLink(merchant, { amount: '24.00', name: 'Coffee' })
  const shop = await serve({
    '/': [
      'text/html; charset=utf-8',
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
       <title>Roastery</title><script src="${base}/widget.js" async></script>
       <a href="${base}/pay/${id}" data-checkstand="overlay">Pay</a></html>`,
    ],
  })
  await merchant.api('', {
    method: 'PUT',
    body: { instance: { allowed_origins: [new URL(shop.url).origin] } },
  })
  return {
    shop,
    name: 'Checkstand',
    url: `${base}/pay/${id}`,
    form: '[autocomplete=cc-number]',
    alive: "document.querySelector('.delayed') === null",
    close: () => void process.kill(),
  }
}

/**
 * The same document, with the same headers, without its script: nothing can be drawn sooner than this. One of the
 * headers gives the page a process of its own, which a browser has to start.
 */
export async function plainForm(own: Contender): Promise<Contender> {
  const response = await fetch(own.url)
  const html = await response.text()
  const bare = html
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace(/<script type="application\/json"[\s\S]*?<\/script>/, '')
  const headers = Object.fromEntries([...response.headers].filter(([name]) => /policy/.test(name)))
  const page = await serve({ '/': ['text/html; charset=utf-8', bare] }, headers)
  return { name: 'the same form, no script', ...page, form: own.form, alive: '' }
}

/**
 * What a page shows once its script has drawn it, as a document without script: no visit can show it sooner. `page` is
 * of a browser that may see it.
 */
export async function plainCopy(page: Page, own: Contender): Promise<Contender> {
  const response = await page.goto(own.url)
  await page.locator(own.form).first().waitFor()
  const shown = await page.content()
  const policies = Object.entries(response?.headers() ?? {}).filter(([name]) => /policy/.test(name))
  const sheets = [...shown.matchAll(/<link[^>]*rel="stylesheet"[^>]*href="([^"]*)"/g)]
  const files = sheets.map(async ([, path = '']): Promise<[string, File]> => {
    const text = await (await fetch(new URL(path, own.url))).text()
    return [path, ['text/css', text, { 'cache-control': 'max-age=31536000, immutable' }]]
  })
  const bare = shown
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link[^>]*rel="(modulepreload|preload)"[^>]*>/g, '')
  const served = await serve(
    { '/': ['text/html; charset=utf-8', bare], ...Object.fromEntries(await Promise.all(files)) },
    Object.fromEntries(policies),
  )
  return { name: `${own.name}, no script`, ...served, form: own.form, alive: '' }
}

const ADYEN = '6.45.2'

/**
 * Adyen's Drop-in with nothing but a card, bundled as its manual describes. Its session is invented,
 * and requests to its servers fail, so this is a lower bound.
 */
export async function adyenDropIn(folder: string): Promise<Contender> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `@adyen/adyen-web@${ADYEN}`], {
    cwd: folder,
    stdio: 'ignore',
  })
  writeFileSync(join(folder, 'main.js'), DROP_IN)
  const html = '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
  const entry = join(folder, 'index.html')
  writeFileSync(
    entry,
    `${html}<title>Pay</title><div id="d"></div><script type="module" src="./main.js"></script></html>`,
  )
  await build({ root: folder, configFile: false, logLevel: 'error', build: { emptyOutDir: true } })
  const out = join(folder, 'dist')
  const assets = readdirSync(join(out, 'assets')).map((name): [string, [string, string]] => [
    `/assets/${name}`,
    [
      name.endsWith('.css') ? 'text/css' : 'text/javascript',
      readFileSync(join(out, 'assets', name), 'utf8'),
    ],
  ])
  const page = await serve({
    '/': ['text/html; charset=utf-8', readFileSync(join(out, 'index.html'), 'utf8')],
    ...Object.fromEntries(assets),
  })
  return {
    name: `Adyen Drop-in ${ADYEN} (card)`,
    ...page,
    // Its fields are frames of its servers; what is around them is visible without.
    form: '.adyen-checkout__payment-method',
    alive: "document.querySelector('.adyen-checkout__card-input') !== null",
  }
}

const DROP_IN = `
import { AdyenCheckout, Dropin, Card } from '@adyen/adyen-web'
import '@adyen/adyen-web/styles/adyen.css'
const checkout = await AdyenCheckout({
  environment: 'test',
  clientKey: 'test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  locale: 'en-US',
  countryCode: 'NL',
  amount: { value: 2400, currency: 'EUR' },
  analytics: { enabled: false },
  paymentMethodsResponse: {
    paymentMethods: [{ type: 'scheme', name: 'Card', brands: ['visa', 'mc', 'amex'] }],
  },
})
new Dropin(checkout, { paymentMethodComponents: [Card], openFirstPaymentMethod: true }).mount('#d')
`

type File = [type: string, text: string, headers?: Record<string, string>]

async function serve(
  files: Record<string, File>,
  headers: Record<string, string> = {},
): Promise<PageServer> {
  const packed = new Map(
    Object.entries(files).map(([path, [type, text, more]]) => [
      path,
      { type, more, body: brotliCompressSync(text) },
    ]),
  )
  const server = createServer((request, response) => {
    const file = packed.get(request.url ?? '/')
    if (!file) return void response.writeHead(404).end()
    response
      .writeHead(200, {
        ...headers,
        ...file.more,
        'content-type': file.type,
        'content-encoding': 'br',
      })
      .end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, close }
}
