// POST /hooks is the address of the webhook.
import { handle } from 'checkstand-client/webhooks'
import { orders } from '../shop'

export const POST = (request: Request): Promise<Response> =>
  handle(request, {
    secret: process.env.WEBHOOK_SECRET ?? '',
    on: {
      'payment_link.payment_success': ({ data }) => {
        for (const order of orders.values()) {
          if (order.link === data.payment_link.id) order.isPaid = true
        }
      },
    },
  })
