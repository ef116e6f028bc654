// The address is the payer's, and may be made up: the API says whether the order is paid.
import { Checkstand } from 'checkstand-client'
import { orders } from '../orders'

const checkstand = new Checkstand({
  baseUrl: process.env.CHECKSTAND_URL ?? 'http://localhost:4242',
  key: process.env.CHECKSTAND_KEY,
})

export default async function Thanks({
  searchParams,
}: {
  searchParams: Promise<{ order?: string }>
}) {
  const { order: number = '' } = await searchParams
  const order = orders.get(number)
  if (!order) return <p>There is no such order</p>
  const { status } = await checkstand.paymentLinks.get(order.link)
  return <p>{status === 'PAYMENT_SUCCESS' ? 'Paid. Thank you!' : 'Not paid yet'}</p>
}
