/**
 * Every point at which a crash test can end the process, in the order in which an operation comes
 * by them. What must hold after a restart stands beside each in `testing/failpoints.test.ts`.
 */
export const FAILPOINTS = [
  // Requests that write to our own database: inside their transaction, and after it.
  'once-acted',
  'once-stored',
  // A payment, by its payer or by its merchant: inside the first transaction, after it, and so on.
  'attempt-begun',
  'attempt-stored',
  'sandbox-charged',
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
  // What the server collects by itself when it is due.
  'collection-stored',
  'collection-answered',
  'collection-settled',
  // After each set of a batch.
  'strings-set-stored',
  // Inside the transaction that uses a code up, and after it.
  'tokens-issued',
  'tokens-stored',
  // Inside the transaction that hands events out, then around the call to a receiver.
  'events-handed-out',
  'delivery-leased',
  'delivery-answered',
] as const

export type FailpointName = (typeof FAILPOINTS)[number]

/** Reads `name:kill`, the setting of a crash test; null when it names no point of ours. */
export function readFailpoint(text: string): FailpointName | null {
  return FAILPOINTS.find((name) => text === `${name}:kill`) ?? null
}

/**
 * A point where a crash test ends the process as a power cut would: at once, and without a word to
 * anybody. Without a wanted point it does nothing.
 */
export function createFailpoint(wanted: FailpointName | undefined): (name: FailpointName) => void {
  if (wanted === undefined) return () => {}
  return (name) => {
    if (name === wanted) process.kill(process.pid, 'SIGKILL')
  }
}
