import type { StripeFake } from './start.ts'

/** What a fake's books say, in Stripe's minor units. */
export interface StripeMoney {
  /** One entry for each charge that took money. */
  taken: number[]
  refunded: number[]
  /** Authorizations that still reserve money. */
  reserved: number[]
  /** Authorizations that were released. */
  released: number[]
  /** Payments that somebody who has their client secret could still make. */
  confirmable: number
}

export const NO_MONEY: StripeMoney = {
  taken: [],
  refunded: [],
  reserved: [],
  released: [],
  confirmable: 0,
}

export function moneyOf({ account }: Pick<StripeFake, 'account'>): StripeMoney {
  const intents = [...account.intents.values()]
  const reserving = intents.filter(({ latest_charge: id }) => {
    const charge = account.charges.get(id ?? '')
    return charge?.paid === true && !charge.captured
  })
  const amounts = (items: readonly { amount: number }[]) => items.map(({ amount }) => amount)
  return {
    taken: [...account.charges.values()]
      .filter(({ captured }) => captured)
      .map(({ amount_captured }) => amount_captured),
    refunded: amounts(
      [...account.refunds.values()].filter(
        ({ status }) => status === 'succeeded' || status === 'pending',
      ),
    ),
    reserved: amounts(reserving.filter(({ status }) => status === 'requires_capture')),
    released: amounts(reserving.filter(({ status }) => status === 'canceled')),
    confirmable: intents.filter(({ status }) =>
      ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status),
    ).length,
  }
}
