/** Concurrent attempts. */
const PER_WEBHOOK = 5
const PER_FAILING_WEBHOOK = 1
const PER_INSTANCE = 20
const TOTAL = 200

/** A webhook with due deliveries. */
export interface DueWebhook {
  id: string
  instance_id: string
  failing_since: string | null
}

/** Numbers of attempts in flight. */
export interface InFlight {
  all: number
  perWebhook: ReadonlyMap<string, number>
  perInstance: ReadonlyMap<string, number>
}

/**
 * Returns how many more attempts may start for each webhook; webhooks without one are left out.
 * Slots are assigned round-robin. The first slot of a webhook is guaranteed, so that no receiver
 * waits for another. The others count against the limits of its instance and of the server.
 */
export function shareSlots(due: readonly DueWebhook[], inFlight: InFlight): Map<string, number> {
  const granted = new Map<string, number>()
  const [perInstance, perWebhook] = [inFlight.perInstance, inFlight.perWebhook].map(
    (counts) => new Map(counts),
  ) as [Map<string, number>, Map<string, number>]
  let all = inFlight.all
  const grant = ({ id, instance_id, failing_since }: DueWebhook): boolean => {
    const [own, ofInstance] = [perWebhook.get(id) ?? 0, perInstance.get(instance_id) ?? 0]
    const isFull =
      own >= (failing_since === null ? PER_WEBHOOK : PER_FAILING_WEBHOOK) ||
      ofInstance >= PER_INSTANCE ||
      all >= TOTAL
    if (own > 0 && isFull) return false
    perWebhook.set(id, own + 1)
    perInstance.set(instance_id, ofInstance + 1)
    all += 1
    granted.set(id, (granted.get(id) ?? 0) + 1)
    return true
  }
  for (let open = due; open.length > 0; open = open.filter(grant));
  return granted
}
