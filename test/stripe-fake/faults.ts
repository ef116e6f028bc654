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

/** Returns an answer that is about another amount, or of the other mode, where the fault says so. */
export function distort(text: string, fault: Fault | undefined): string {
  if (fault !== 'WRONG_AMOUNT' && fault !== 'WRONG_MODE') return text
  const answer = JSON.parse(text)
  return JSON.stringify(
    fault === 'WRONG_AMOUNT'
      ? { ...answer, amount: answer.amount + 1 }
      : { ...answer, livemode: !answer.livemode },
  )
}
