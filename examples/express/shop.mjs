// A shop with Express: `CHECKSTAND_KEY=sk_test_… WEBHOOK_SECRET=whsec_… node examples/express/shop.mjs`
import { Checkstand } from 'checkstand-client'
import { express as webhook } from 'checkstand-client/webhooks'
import express from 'express'

const port = Number(process.env.PORT ?? 8001)
const checkstand = new Checkstand({
  baseUrl: process.env.CHECKSTAND_URL ?? 'http://localhost:4242',
  key: process.env.CHECKSTAND_KEY,
})
/** Orders by their number. A shop has a database in its place. */
const orders = new Map()
const app = express()

app.get('/', (_, response) => {
  response.send('<form action="/buy" method="post"><button>Buy coffee, €24.00</button></form>')
})

app.post('/buy', async (_, response) => {
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
  response.redirect(303, url)
})

// Before any parser of bodies: the signature covers the bytes as they arrived.
app.post(
  '/hooks',
  webhook({
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
app.get('/thanks', async (request, response) => {
  const order = orders.get(String(request.query.order))
  if (!order) return response.status(404).send('There is no such order')
  const { status } = await checkstand.paymentLinks.get(order.link)
  response.send(status === 'PAYMENT_SUCCESS' ? 'Paid. Thank you!' : 'Not paid yet')
})

app.get('/orders/:number', (request, response) => {
  response.json(orders.get(request.params.number) ?? null)
})

app.listen(port, '127.0.0.1')
