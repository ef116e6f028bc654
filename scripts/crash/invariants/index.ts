import { AGREED } from './agreed.ts'
import type { Evidence, Invariant } from './evidence.ts'
import { MONEY } from './money.ts'
import { OBSERVED } from './observed.ts'
import { RECORDS } from './records.ts'

/** Those that a crash run cannot bring into danger, with the test that does. */
const ELSEWHERE: Invariant[] = [
  {
    id: 'I18',
    description: 'a refund by a name that could mean two payments of six months is refused',
    checkedBy: 'server/payments/lookup.test.ts',
  },
  {
    id: 'I21',
    description: 'the pages of a list and its total are of one set',
    checkedBy: 'test/lists.test.ts',
  },
]

/** All invariants, in the order of their ids. */
export const INVARIANTS: readonly Invariant[] = [
  ...MONEY,
  ...RECORDS,
  ...AGREED,
  ...OBSERVED,
  ...ELSEWHERE,
].toSorted((one, other) => Number(one.id.slice(1)) - Number(other.id.slice(1)))

/** What is broken, each line beginning with the invariant's name. */
export function violations(evidence: Evidence): string[] {
  return INVARIANTS.flatMap(({ id, findViolations: broken }) =>
    (broken?.(evidence) ?? []).map((line) => `${id} ${line}`),
  )
}
