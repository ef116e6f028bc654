import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import type { Ready } from '../server.ts'

/** Pages that are measured beside each other, each behind a server of its own on this machine. */

export interface Contender {
  name: string
  url: string
  /** What is in the page once a payer sees the form. */
  form: string
  /** A condition in the page's own words, true once its script has taken over; '' for none. */
  alive: string
  close: () => void
}

/** A shop with a link that opens our page in a dialog over its own. */
export interface PageServer {
  url: string
  close: () => void
}

/** Our own page, as the real server serves it, and a shop that embeds it. */
export async function ownPage(): Promise<Contender & { shop: PageServer }> {
  const child = fork(fileURLToPath(new URL('../server.ts', import.meta.url)), ['group'])
  const [{ origin, api, authorization }] = (await once(child, 'message')) as [Ready]
  const response = await fetch(`${origin}${api}/payment_links`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ payment_link: { options: { amount: '24.00', name: 'Coffee' } } }),
  })
  const { payment_link: link } = (await response.json()) as { payment_link: { id: string } }
  const shop = await serve({
    '/': [
      'text/html; charset=utf-8',
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
       <title>Roastery</title><script src="${origin}/widget.js" async></script>
       <a href="${origin}/pay/${link.id}" data-checkstand="overlay">Pay</a></html>`,
    ],
  })
  await fetch(`${origin}${api}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ instance: { allowed_origins: [new URL(shop.origin).origin] } }),
  })
  return {
    shop: { url: shop.origin, close: shop.close },
    name: 'Checkstand',
    url: `${origin}/pay/${link.id}`,
    form: '[autocomplete=cc-number]',
    alive: "document.querySelector('.late') === null",
    close: () => void child.kill(),
  }
}

/** The same document without its script: nothing can be drawn sooner than this. */
export async function plainForm(own: Contender): Promise<Contender> {
  const html = await (await fetch(own.url)).text()
  const bare = html
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace(/<script type="application\/json"[\s\S]*?<\/script>/, '')
  const { origin, close } = await serve({ '/': ['text/html; charset=utf-8', bare] })
  return { name: 'the same form, no script', url: origin, form: own.form, alive: '', close }
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
  const { origin, close } = await serve({
    '/': ['text/html; charset=utf-8', readFileSync(join(out, 'index.html'), 'utf8')],
    ...Object.fromEntries(assets),
  })
  return {
    name: `Adyen Drop-in ${ADYEN} (card)`,
    url: origin,
    form: '.adyen-checkout__card-input',
    alive: "document.querySelector('.adyen-checkout__card-input') !== null",
    close,
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

async function serve(files: Record<string, [type: string, text: string]>) {
  const packed = new Map(
    Object.entries(files).map(([path, [type, text]]) => [
      path,
      { type, body: brotliCompressSync(text) },
    ]),
  )
  const server = createServer((request, response) => {
    const file = packed.get(request.url ?? '/')
    if (!file) return void response.writeHead(404).end()
    response.setHeader('content-type', file.type)
    response.setHeader('content-encoding', 'br')
    response.end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${port}/`, close }
}
