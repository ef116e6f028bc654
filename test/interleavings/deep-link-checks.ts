import { expect } from 'vitest'
import type { Json, recordedEvents } from '../payments-client.ts'
import type { readLedger } from '../money-model/books.ts'

/** What the checks read. */
interface UsedLinks extends Pick<Awaited<ReturnType<typeof readLedger>>, 'deepLinks'> {
  events: Awaited<ReturnType<typeof recordedEvents>>
}

/**
 * Each use of a deep link has one event, the last one also that it is exhausted, and so have its expiry
 * and its archival. Nothing holds a use any more.
 */
export function expectUses({ deepLinks, events }: UsedLinks): void {
  for (const { id, uses, reserved_uses, archived, expiry_recorded, action } of deepLinks) {
    const own = (type: string) =>
      events
        .filter((event) => event.type === `deep_link.${type}`)
        .map(({ data }): Json => data.deep_link)
        .filter((record) => record.id === id)
    const used = own('used')
    const last = used.filter((record) => record.uses === record.max_uses)
    expect(
      {
        uses: used.map((record) => record.uses).toSorted((a, b) => a - b),
        exhausted: own('exhausted').map(({ v }) => v),
        archived: own('archived').length,
        expired: own('expired').length,
        reserved_uses,
      },
      `${action} ${id}`,
    ).toEqual({
      uses: Array.from({ length: uses }, (_, n) => n + 1),
      exhausted: last.map(({ v }) => v),
      archived: archived === null ? 0 : 1,
      // One that was archived before has no such event.
      expired: expiry_recorded === 1 && archived === null ? 1 : own('expired').length,
      reserved_uses: 0,
    })
  }
}
