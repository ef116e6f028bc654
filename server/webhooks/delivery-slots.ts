/** Attempts at once: to one webhook, to one that fails, to all of one instance, to all together. */
const PER_WEBHOOK = 5
const PER_FAILING = 1
const PER_INSTANCE = 20
const IN_ALL = 200

/** A webhook that something is due for. */
export interface Due {
  id: string
  instance_id: string
  failing_since: string | null
}

/** Attempts that are under way, by webhook and by instance. */
export interface UnderWay {
  all: number
  perWebhook: ReadonlyMap<string, number>
  perInstance: ReadonlyMap<string, number>
}

/**
 * Returns how many more attempts may begin to each webhook, none of which is zero. Places are given
 * out in turns, one to each webhook. The first place of a webhook is its own, whatever others hold:
 * no receiver waits for another one. The others come out of what its instance, and all instances
 * together, may hold.
 */
export function shareSlots(due: readonly Due[], underWay: UnderWay): Map<string, number> {
  const given = new Map<string, number>()
  const [perInstance, perWebhook] = [underWay.perInstance, underWay.perWebhook].map(
    (counts) => new Map(counts),
  ) as [Map<string, number>, Map<string, number>]
  let all = underWay.all
  const give = ({ id, instance_id, failing_since }: Due): boolean => {
    const [own, ofInstance] = [perWebhook.get(id) ?? 0, perInstance.get(instance_id) ?? 0]
    const isFull =
      own >= (failing_since === null ? PER_WEBHOOK : PER_FAILING) ||
      ofInstance >= PER_INSTANCE ||
      all >= IN_ALL
    if (own > 0 && isFull) return false
    perWebhook.set(id, own + 1)
    perInstance.set(instance_id, ofInstance + 1)
    all += 1
    given.set(id, (given.get(id) ?? 0) + 1)
    return true
  }
  for (let open = due; open.length > 0; open = open.filter(give));
  return given
}
