/** What a request to the fake meets instead of its answer. */
export type Fault =
  | 'LOST_BEFORE'
  | 'LOST_AFTER'
  | '500_BEFORE'
  | '500_AFTER'
  | '429'
  | '409'
  | 'FORBIDDEN'
  | 'HTML'
  | 'WRONG_AMOUNT'
  | 'WRONG_MODE'
  | 'WRONG_CURRENCY'
  | 'OTHER_PAYMENT'
  | 'UNKNOWN_STATUS'

/** The next requests to routes, such as `POST /v1/refunds`, that meet a fault. */
export function createFaults() {
  const planned: { route: string; fault: Fault; times: number }[] = []
  return {
    plan: (route: string, fault: Fault, times = 1) => void planned.push({ route, fault, times }),
    clear: () => void planned.splice(0),
    take(route: string): Fault | undefined {
      const next = planned.find((each) => each.route === route && each.times > 0)
      if (next) next.times -= 1
      return next?.fault
    },
  }
}

/** How answers that must not be believed differ from the true one. */
const LIES: Partial<Record<Fault, (answer: Answer) => object>> = {
  WRONG_AMOUNT: ({ amount }) => ({ amount: Number(amount) + 1 }),
  WRONG_MODE: ({ livemode }) => ({ livemode: !livemode }),
  WRONG_CURRENCY: () => ({ currency: 'sek' }),
  OTHER_PAYMENT: ({ metadata }) => ({
    id: 'pi_other',
    payment_intent: 'pi_other',
    metadata: { ...metadata, operation: 'other' },
  }),
  UNKNOWN_STATUS: () => ({ status: 'a_state_of_the_future' }),
}

interface Answer {
  amount?: number
  livemode?: boolean
  metadata?: Record<string, string>
}

/** Returns the answer, or a lie where that is the fault. */
export function distort(text: string, fault: Fault | undefined): string {
  const lie = fault && LIES[fault]
  if (!lie) return text
  const answer = JSON.parse(text) as Answer
  return JSON.stringify({ ...answer, ...lie(answer) })
}
