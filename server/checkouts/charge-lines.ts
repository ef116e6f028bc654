import type { ChargeRow } from '../db/tables/charges.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { ChargeLine } from '../../shared/page-model.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { listChargesByIds } from '../charges/store.ts'
import type { Db } from '../db/tables.ts'
import { listParts } from '../payments/store.ts'
import type { DueCharge } from '../payment-links/charges.ts'

/** Returns a charge as the page lists it, with the part of it that is paid. */
export function serializeDueCharge({ charge, amount }: DueCharge): ChargeLine {
  return {
    name: charge.description ?? charge.alt_key,
    due: charge.due,
    amount: amountText(amount, charge.currency),
  }
}

/** Lists what a payment was for, as its receipt shows it. */
export async function listPaidCharges(db: Db, payment: PaymentRow): Promise<ChargeLine[]> {
  const parts = await listParts(db, [payment.id])
  const ids = parts.map(({ charge_id }) => charge_id)
  const rows = await listChargesByIds(db, payment.instance_id, ids)
  return parts.flatMap(({ charge_id, amount }) => {
    const charge: ChargeRow | undefined = rows.find(({ id }) => id === charge_id)
    return charge ? [serializeDueCharge({ charge, amount })] : []
  })
}
