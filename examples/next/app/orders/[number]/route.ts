import { orders } from '../../shop'

export async function GET(_: Request, { params }: { params: Promise<{ number: string }> }) {
  const { number } = await params
  return Response.json(orders.get(number) ?? null)
}
