import type { CheckoutAlert } from '../../shared/schemas/checkout-alert.ts'

export interface Measured {
  /** A rate from 0 to 1, or a number. */
  value: number
  /** The sessions that it is measured on; null for payments. */
  sessions: number | null
}

/**
 * Returns the status of an alert after a measurement. An alert goes off only when the measure is a tenth
 * of the way from its threshold to the best value, so that a measure that stays near the threshold does
 * not turn it on and off: below 0.70, it goes off at 0.73; above 10, at 9. Without enough sessions, and
 * for a rate without any, the status stays.
 */
export function alertStatus(alert: CheckoutAlert, measured: Measured): CheckoutAlert['status'] {
  const { value, sessions } = measured
  const isRate = alert.measure === 'APPROVAL' || alert.measure === 'CONVERSION'
  if (sessions !== null && sessions < Math.max(alert.minimum, isRate ? 1 : 0)) return alert.status
  const isOn = alert.status === 'ALERT'
  if (alert.below !== null) {
    const below = Number(alert.below)
    // The best rate is 1; numbers have none, and a tenth more is enough.
    const limit = isOn ? below + (isRate ? 1 - below : below) / 10 : below
    return isLess(value, limit) ? 'ALERT' : 'OK'
  }
  const above = Number(alert.above)
  return isLess(isOn ? above * 0.9 : above, value) ? 'ALERT' : 'OK'
}

/** Decimals that are equal as text are equal. */
function isLess(one: number, two: number): boolean {
  return one < two - 1e-9
}
