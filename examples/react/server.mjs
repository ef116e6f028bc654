// The same shop with React. Run it beside Checkstand, after `npm run build`:
//
//   CHECKSTAND_SECRET_KEY=sk_test_… node examples/react/server.mjs
//
// and open http://127.0.0.1:8001.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createServer as createVite } from 'vite'
import { allowOrigin, createLink } from '../checkstand.mjs'

const port = Number(process.env.PORT ?? 8001)
const shop = `http://127.0.0.1:${port}`

const vite = await createVite({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: process.env.VITE_CACHE ?? fileURLToPath(new URL('../../dist/vite', import.meta.url)),
  appType: 'spa',
  server: { middlewareMode: true, hmr: false, ws: false },
  // Bundled before the first visit, because a page without a web socket cannot be reloaded.
  optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime'] },
  // In your own project, import it from node_modules.
  resolve: {
    alias: {
      'checkstand-embed/react': fileURLToPath(import.meta.resolve('checkstand-embed/react')),
    },
  },
})

const server = createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/order') void order(response)
  else vite.middlewares(request, response)
})

async function order(response) {
  try {
    const link = { amount: '24.00', currency: 'EUR', name: 'Two bags of coffee' }
    const { url } = await createLink(link)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ url }))
  } catch ({ message }) {
    process.stderr.write(`${message}\n`)
    response.writeHead(500).end()
  }
}

await allowOrigin(shop)
server.listen(port, '127.0.0.1', () => process.stdout.write(`The shop is open at ${shop}\n`))
