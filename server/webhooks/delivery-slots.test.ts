import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DueWebhook, shareSlots } from './delivery-slots.ts'

const NONE = { all: 0, perWebhook: new Map<string, number>(), perInstance: new Map() }

/** `webhooks` webhooks of an instance, all with something due. */
const dueOf = (instance: string, webhooks: number, failing = false): DueWebhook[] =>
  Array.from({ length: webhooks }, (_, n) => ({
    id: `${instance}-${n}`,
    instance_id: instance,
    failing_since: failing ? '2030-01-01T00:00:00.000Z' : null,
  }))

/** What is under way when these places are taken, and nothing ends. */
function taken(due: readonly DueWebhook[], places: ReadonlyMap<string, number>) {
  const perInstance = new Map<string, number>()
  for (const { id, instance_id } of due) {
    perInstance.set(instance_id, (perInstance.get(instance_id) ?? 0) + (places.get(id) ?? 0))
  }
  return {
    all: [...places.values()].reduce((sum, count) => sum + count, 0),
    perWebhook: places,
    perInstance,
  }
}

describe('delivery slots', () => {
  it.each([
    [1, false, 5],
    [1, true, 1],
    [4, false, 20],
    [20, false, 20],
    [20, true, 20],
  ])('of one instance with %i webhooks that fail (%s) are %i', (webhooks, failing, places) => {
    const due = dueOf('a', webhooks, failing)
    expect(taken(due, shareSlots(due, NONE)).all).toBe(places)
  })

  it('guarantee the first slot of every webhook', () => {
    const instances = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.boolean()), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(instances, (others) => {
        const holders = others.flatMap(([count, failing], n) => dueOf(`other${n}`, count, failing))
        const held = taken(holders, shareSlots(holders, NONE))
        for (const { id } of holders) expect(held.perWebhook.get(id)).toBeGreaterThan(0)
        const late = [...holders, ...dueOf('late', 3)]
        const places = shareSlots(late, held)
        for (const { id } of dueOf('late', 3)) expect(places.get(id)).toBeGreaterThan(0)
      }),
    )
  })

  it('beyond the first are assigned round-robin', () => {
    const due = [...dueOf('a', 20), ...dueOf('b', 2)]
    const { perInstance } = taken(due, shareSlots(due, NONE))
    expect([perInstance.get('a'), perInstance.get('b')]).toEqual([20, 10])
  })

  it('are two hundred in all, except for first slots', () => {
    const due = Array.from({ length: 30 }, (_, n) => dueOf(`i${n}`, 4)).flat()
    const held = taken(due, shareSlots(due, NONE))
    expect(held.all).toBe(200)
    expect(shareSlots(due, held).size).toBe(0)
  })
})
