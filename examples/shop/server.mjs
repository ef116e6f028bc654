// A shop with five pages that embeds checkouts in every way. Run it beside Checkstand:
//
//   CHECKSTAND_SECRET_KEY=sk_test_… node examples/shop/server.mjs
//
// and open http://127.0.0.1:8000. Its Content Security Policy is as strict as possible.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { allowOrigin, checkstandUrl, createLink, readLink } from '../checkstand.mjs'

const port = Number(process.env.PORT ?? 8000)
const shop = `http://127.0.0.1:${port}`

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  // Checkstand needs these two lines only.
  `script-src 'self' ${checkstandUrl}`,
  `frame-src ${checkstandUrl}`,
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Creates an order for each visit. The server creates the link, so the browser cannot set the price. */
const order = () =>
  createLink({
    amount: '24.00',
    currency: 'EUR',
    name: 'Two bags of coffee',
    success_url: `${shop}/thanks`,
    pending_url: `${shop}/thanks`,
  })

const pages = {
  '/': async () => `
    <h1>Roastery</h1>
    <ul>
      <li><a href="/inline">Pay inline</a></li>
      <li><a href="/overlay">Pay in a dialog</a></li>
      <li><a href="/function">Pay from a script</a></li>
    </ul>`,

  '/inline': async () => {
    const { id, url } = await order()
    return `
    <h1>Pay inline</h1>
    <div data-checkstand-link="${id}"><a href="${url}">Pay online</a></div>`
  },

  '/overlay': async () => {
    const { url } = await order()
    return `
    <h1>Pay in a dialog</h1>
    <p><a class="button" data-checkstand="overlay" href="${url}">Pay €24.00</a></p>`
  },

  '/function': async () => {
    const { url } = await order()
    return `
    <h1>Pay from a script</h1>
    <p><button id="pay" class="button" data-url="${url}">Pay €24.00</button></p>
    <p id="news" role="status"></p>
    <script src="/pay.js"></script>`
  },

  '/thanks': async (query) => {
    // The parameters of the URL can be forged, so the status comes from the API.
    const link = await readLink(query.get('payment_link') ?? '').catch(() => undefined)
    const words = {
      PAYMENT_SUCCESS: 'Thank you! Your payment succeeded, and the coffee is on its way.',
      PAYMENT_PENDING: 'Thank you! Your payment is pending. We send the coffee when it succeeds.',
    }
    return `<h1>Roastery</h1><p>${words[link?.status] ?? 'We have not received your payment.'}</p>`
  },
}

const files = { '/shop.css': 'text/css', '/pay.js': 'text/javascript' }

const server = createServer((request, response) => void answer(request, response))

async function answer(request, response) {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', shop)
    if (files[pathname]) {
      response.setHeader('content-type', files[pathname])
      response.end(await readFile(new URL(`.${pathname}`, import.meta.url)))
    } else if (pages[pathname]) {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-security-policy', policy)
      response.end(page(await pages[pathname](searchParams)))
    } else {
      response.writeHead(404).end()
    }
  } catch ({ message }) {
    process.stderr.write(`${message}\n`)
    response.writeHead(500).end()
  }
}

const page = (content) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Roastery</title>
    <link rel="stylesheet" href="/shop.css" />
    <script src="${checkstandUrl}/widget.js" async></script>
  </head>
  <body>
    <main>${content}</main>
  </body>
</html>`

await allowOrigin(shop)
server.listen(port, '127.0.0.1', () => process.stdout.write(`The shop is open at ${shop}\n`))
