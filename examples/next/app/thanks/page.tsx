// The address is the payer's, and may be made up: the API says whether the order is paid.
import { notFound } from 'next/navigation'
import { checkstand, orders } from '../shop'

export default async function Thanks({
  searchParams,
}: {
  searchParams: Promise<{ order?: string }>
}) {
  const { order: number = '' } = await searchParams
  const order = orders.get(number)
  if (!order) notFound()
  const { status } = await checkstand().paymentLinks.get(order.link)
  return <p>{status === 'PAYMENT_SUCCESS' ? 'Paid. Thank you!' : 'Not paid yet'}</p>
}
