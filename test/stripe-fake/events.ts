import { randomBytes } from 'node:crypto'
import { intentAnswer } from './answers.ts'
import type { Account, Intent } from './objects.ts'

/** What changes of the account are dated and told by. */

/** Without digits, which could look like a card number. */
export const newStripeId = (prefix: string) =>
  `${prefix}_${randomBytes(12)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`

export interface FakeClock {
  /** Epoch milliseconds. */
  now: () => number
  livemode: boolean
}

export const seconds = ({ now }: FakeClock) => Math.floor(now() / 1000)

/** Records what a webhook would tell. */
export function emit(
  account: Account,
  clock: FakeClock,
  type: string,
  object: unknown,
  before?: Record<string, unknown>,
): void {
  account.events.unshift({
    id: newStripeId('evt'),
    type,
    created: seconds(clock),
    livemode: clock.livemode,
    object: object as Record<string, unknown>,
    ...(before && { before }),
  })
}

export function emitIntent(account: Account, clock: FakeClock, type: string, intent: Intent): void {
  emit(account, clock, `payment_intent.${type}`, intentAnswer(account, intent, []))
}
