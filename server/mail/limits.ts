import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { tooManyRequests } from '../errors.ts'
import { countInWindow } from '../rate-limits/fixed-window.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Mails that an instance causes in an hour; a stolen key must not send more. */
const PER_INSTANCE_MAX = 200
/** Mails to one address in a day, from one instance. */
const PER_RECIPIENT_MAX = 10

/** Counts a mail to an address that a merchant gives. Throws a 429 ApiError above the limits. */
export async function requireMailAllowed(
  deps: Pick<Deps, 'db' | 'realNow' | 'keyedDigest'>,
  { id }: Pick<Instance, 'id'>,
  to: string,
): Promise<void> {
  const now = deps.realNow()
  const limits = [
    { name: 'mails', key: id, max: PER_INSTANCE_MAX, windowMs: HOUR_MS },
    {
      name: 'mails-to',
      // Addresses are not stored in clear for longer than their mail.
      key: `${id} ${deps.keyedDigest(to.toLowerCase())}`,
      max: PER_RECIPIENT_MAX,
      windowMs: DAY_MS,
    },
  ]
  for (const { name, key, ...window } of limits) {
    const waitMs = await countInWindow(deps.db, { name, key }, { ...window, now })
    if (waitMs > 0) throw tooManyRequests('Too many mails; try again later', waitMs)
  }
}
