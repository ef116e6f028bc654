/**
 * Points at which a crash test can kill the process, in the order of an operation. The failpoint
 * tests state what must hold after each.
 */
export const FAILPOINTS = [
  // Writes to our own database: inside the transaction, and after it.
  'once-acted',
  'once-stored',
  // A payment by a payer or a merchant: inside the first transaction, after it, and so on.
  'attempt-begun',
  'attempt-stored',
  'sandbox-charged',
  // Between the calls of a processor that takes several for a payment.
  'processor-begun',
  'processor-confirmed',
  'processor-answered',
  'outcome-stored',
  'capture-stored',
  'capture-answered',
  'capture-settled',
  'refund-stored',
  'refund-answered',
  'refund-settled',
  'void-stored',
  'void-answered',
  'void-settled',
  // A method that is saved without a payment.
  'setup-stored',
  'setup-answered',
  'setup-settled',
  // A due collection.
  'collection-stored',
  'collection-answered',
  'collection-settled',
  // After each set of a batch.
  'strings-set-stored',
  // Inside the transaction that consumes a code, and after it.
  'tokens-issued',
  'tokens-stored',
  // Inside the transaction that fans out events, then around the delivery.
  'events-handed-out',
  'delivery-leased',
  'delivery-answered',
] as const

export type FailpointName = (typeof FAILPOINTS)[number]

/** Parses `name:kill`; null if the name is unknown. */
export function readFailpoint(text: string): FailpointName | null {
  return FAILPOINTS.find((name) => text === `${name}:kill`) ?? null
}

/**
 * Returns a function that kills the process at one point, as a power failure would. Without a point
 * it does nothing.
 */
export function createFailpoint(
  failpoint: FailpointName | undefined,
): (name: FailpointName) => void {
  if (failpoint === undefined) return () => {}
  return (name) => {
    if (name === failpoint) process.kill(process.pid, 'SIGKILL')
  }
}
