import type { Client, CrashRun } from '../crash-run.ts'
import { pay, storeCard } from './move-money.ts'
import { createLink, payOnce } from './pay-links.ts'

/** A charge that two links, the merchant's server and the collection pay at the same time. */

const AMOUNT = '9.00'

export async function payCharge(lab: CrashRun, client: Client): Promise<void> {
  const { random } = client
  const stored = await storeCard(lab, client)
  if (!stored) return
  // Collected while the others pay it, or after the run.
  const due = Date.now() + (random.chance(0.3) ? random.between(300, 1_500) : 30 * 86_400_000)
  const scheduled = await pay(client, {
    amount: AMOUNT,
    ...stored,
    due: new Date(due).toISOString(),
  })
  const charge = scheduled?.json.payment?.charge
  if (!charge) return
  const byLink = async () => {
    const link = await createLink(client, { account: stored.account, charges: [charge] })
    if (link !== undefined) await payOnce(lab, client, link)
  }
  const byRequest = () =>
    pay(client, { amount: AMOUNT, ...stored, parts: [{ charge, amount: AMOUNT }] })
  await Promise.all([byLink(), byLink(), ...(random.chance(0.5) ? [byRequest()] : [])])
}
