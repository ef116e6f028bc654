import { expect } from 'vitest'
import { shownCharge } from './change-charge.ts'
import type { Model } from './model.ts'
import { shownPayment } from './operation.ts'
import type { World } from './world.ts'

/** Few, so that there are several pages. */
const PAGE = 4

interface Listed {
  id: string
  created: string
}

/** Lists hold exactly the model's records, once each, as they are when read one by one. */
export async function expectLists(model: Model, world: World): Promise<void> {
  const captures = model.payments.filter(({ type }) => type === 'CAPTURE')
  const payments = model.payments.filter(({ type }) => type !== 'CAPTURE')
  const shown = ({ id, status }: { id: string | null; status: string }) => ({ id, status })
  for (const [name, records] of Object.entries({
    payments: payments.map((each) => shownPayment(model, each)),
    captures: captures.map((each) => shownPayment(model, each)),
    charges: model.charges.map(shownCharge),
    refunds: model.refunds.map(shown),
    voids: model.voids.map(shown),
    contracts: model.contracts.map(shown),
  })) {
    await expectList(world, name, records)
  }
}

async function expectList(
  { merchant }: World,
  name: string,
  expected: Record<string, unknown>[],
): Promise<void> {
  const read = async (query: Record<string, string>) => {
    const response = await merchant.api(`/${name}?${new URLSearchParams(query).toString()}`)
    expect(response.status, response.text).toBe(200)
    if (!query['criteria']) expect(response.json.meta.total, name).toBe(expected.length)
    return response.json[name] as Listed[]
  }
  const all = await read({ limit: '1000' })
  const byId = (one: { id?: unknown }, other: { id?: unknown }) =>
    String(one.id) < String(other.id) ? -1 : 1
  expect(all.toSorted(byId)).toMatchObject(expected.toSorted(byId))
  expect(await pagesByOffset(read, all.length)).toEqual(all)
  expect(await pagesByTime(read)).toEqual(all)
}

type Read = (query: Record<string, string>) => Promise<Listed[]>

async function pagesByOffset(read: Read, total: number): Promise<Listed[]> {
  const records: Listed[] = []
  for (let offset = 0; offset < total; offset += PAGE) {
    records.push(...(await read({ limit: String(PAGE), offset: String(offset) })))
  }
  return records
}

/** Goes on from the last record's time and drops what was seen, as one must beyond 5000 records. */
async function pagesByTime(read: Read): Promise<Listed[]> {
  const records = new Map<string, Listed>()
  let last: Listed | undefined
  for (;;) {
    const from: Record<string, string> = last ? { criteria: `created<=${last.created}` } : {}
    // A page may be full of records of one moment: then it has to be larger.
    for (let limit = PAGE; ; limit *= 2) {
      const page = await read({ ...from, limit: String(limit) })
      const fresh = page.filter(({ id }) => !records.has(id))
      for (const record of fresh) records.set(record.id, record)
      if (page.length < limit) return [...records.values()]
      if (fresh.length === 0) continue
      last = fresh.at(-1)
      break
    }
  }
}
