// POST /buy makes a link and sends the payer there.
import { Checkstand } from 'checkstand-client'
import { orders } from '../orders'

const checkstand = new Checkstand({
  baseUrl: process.env.CHECKSTAND_URL ?? 'http://localhost:4242',
  key: process.env.CHECKSTAND_KEY,
})

export async function POST(request: Request): Promise<Response> {
  const number = `order-${Date.now()}`
  const { id, url } = await checkstand.paymentLinks.create(
    {
      options: {
        amount: '24.00',
        currency: 'EUR',
        name: 'Two bags of coffee',
        alt_key: number,
        success_url: new URL(`/thanks?order=${number}`, request.url).href,
        skip_receipt: true,
      },
    },
    { idempotencyKey: number },
  )
  orders.set(number, { link: id, isPaid: false })
  return Response.redirect(url, 303)
}
