// POST /buy makes a link and sends the payer there.
import { checkstand, orders } from '../shop'

export async function POST(request: Request): Promise<Response> {
  const number = `order-${Date.now()}`
  // Behind a proxy, `request.url` is the address of this process.
  const shop = process.env.SHOP_URL ?? `http://${request.headers.get('host')}`
  const { id, url } = await checkstand().paymentLinks.create(
    {
      options: {
        amount: '24.00',
        currency: 'EUR',
        name: 'Two bags of coffee',
        alt_key: number,
        success_url: `${shop}/thanks?order=${number}`,
        skip_receipt: true,
      },
    },
    // The same order never makes a second link.
    { idempotencyKey: number },
  )
  orders.set(number, { link: id, isPaid: false })
  return Response.redirect(url, 303)
}
