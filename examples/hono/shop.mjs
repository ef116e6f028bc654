// A shop with Hono: `CHECKSTAND_KEY=sk_test_… WEBHOOK_SECRET=whsec_… node examples/hono/shop.mjs`
import { serve } from '@hono/node-server'
import { Checkstand } from 'checkstand-client'
import { handle } from 'checkstand-client/webhooks'
import { Hono } from 'hono'

const port = Number(process.env.PORT ?? 8001)
const checkstand = new Checkstand({
  baseUrl: process.env.CHECKSTAND_URL ?? 'http://localhost:4242',
  key: process.env.CHECKSTAND_KEY,
})
/** Orders by their number. A shop has a database in its place. */
const orders = new Map()
const app = new Hono()

app.get('/', (c) =>
  c.html('<form action="/buy" method="post"><button>Buy coffee, €24.00</button></form>'),
)

app.post('/buy', async (c) => {
  const number = `order-${Date.now()}`
  const { id, url } = await checkstand.paymentLinks.create(
    {
      options: {
        amount: '24.00',
        currency: 'EUR',
        name: 'Two bags of coffee',
        alt_key: number,
        success_url: `http://127.0.0.1:${port}/thanks?order=${number}`,
        skip_receipt: true,
      },
    },
    // The same order never makes a second link.
    { idempotencyKey: number },
  )
  orders.set(number, { link: id, isPaid: false })
  return c.redirect(url, 303)
})

app.post('/hooks', (c) =>
  handle(c.req.raw, {
    secret: process.env.WEBHOOK_SECRET ?? '',
    on: {
      'payment_link.payment_success': ({ data }) => {
        for (const order of orders.values()) {
          if (order.link === data.payment_link.id) order.isPaid = true
        }
      },
    },
  }),
)

// The address is the payer's, and may be made up: the API says whether the order is paid.
app.get('/thanks', async (c) => {
  const order = orders.get(c.req.query('order') ?? '')
  if (!order) return c.text('There is no such order', 404)
  const { status } = await checkstand.paymentLinks.get(order.link)
  return c.text(status === 'PAYMENT_SUCCESS' ? 'Paid. Thank you!' : 'Not paid yet')
})

app.get('/orders/:number', (c) => c.json(orders.get(c.req.param('number')) ?? null))

serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
