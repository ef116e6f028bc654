/** Below the limit of bound parameters of both databases. */
const BATCH_MAX = 1024

/**
 * Splits ids into batches of at most 1024 for `where id in (…)`. Each batch is padded to a power of
 * two with copies of its last id, so that eleven prepared statements serve every length.
 */
export function batchesOf(ids: readonly string[]): string[][] {
  const batches: string[][] = []
  for (let start = 0; start < ids.length; start += BATCH_MAX) {
    const batch = ids.slice(start, start + BATCH_MAX)
    const size = 2 ** Math.ceil(Math.log2(batch.length))
    batches.push([
      ...batch,
      ...Array.from({ length: size - batch.length }, () => batch.at(-1) as string),
    ])
  }
  return batches
}

const ROWS_MAX = 256

/**
 * Splits rows into parts of 256, 128 and so on, down to one, so that nine prepared statements insert any number
 * of them.
 */
export function inPowersOfTwo<Row>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = []
  let start = 0
  for (let size = ROWS_MAX; size >= 1; size /= 2) {
    for (; rows.length - start >= size; start += size) parts.push(rows.slice(start, start + size))
  }
  return parts
}

/** Loads rows in batches and returns them in the order of the ids. */
export async function listInOrder<Row extends { id: string }>(
  ids: readonly string[],
  load: (batch: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found = new Map<string, Row>()
  for (const batch of batchesOf(ids)) {
    for (const row of await load(batch)) found.set(row.id, row)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}
