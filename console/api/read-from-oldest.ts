/** What orders the records of a list. */
interface Listed {
  id: string
  created: string
}

/**
 * Reads a whole list, however long. Offsets end after some thousand records; times of creation do not. `read` returns
 * the page of the oldest records created at `since` or later; an empty `since` begins at the first one. Returns each
 * record once. `limit` is the size of a page, which is more than are created in one millisecond.
 */
export async function readFromOldest<Row extends Listed>(
  limit: number,
  read: (since: string) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const records = new Map<string, Row>()
  let since = ''
  for (;;) {
    const page = await read(since)
    for (const record of page) records.set(record.id, record)
    const last = page.at(-1)?.created ?? ''
    if (page.length < limit || last === since) return [...records.values()]
    since = last
  }
}
