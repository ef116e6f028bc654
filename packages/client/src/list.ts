import { CheckstandError } from './errors.ts'

/** One page of a list. */
export interface Page<Row> {
  data: Row[]
  /** How many records match in all. */
  total: number
  limit: number
  offset: number
  /** What all matches come to, by currency; of a list that was asked for `sum: 'amount'`. */
  sums?: readonly { currency: string; count: number; amount: string }[] | null
}

export interface PageRequest {
  criteria: string
  order: string | undefined
  limit: number | undefined
  offset: number
}

/** Lists of the server end here. */
const END = 5000
/** Records of a request while all are read. */
const READ = 100

interface Listed {
  id?: string
  created?: string
}

/**
 * A list, which is asked for when it is used. Awaited, it is its first page; with `for await` it is every record
 * that matches, each once, also beyond the end of pages.
 */
export class List<Row> implements PromiseLike<Page<Row>>, AsyncIterable<Row> {
  readonly #read: (page: PageRequest) => PromiseLike<Page<Row>>
  readonly #asked: Omit<PageRequest, 'offset'>
  readonly #most: number

  constructor(
    read: (page: PageRequest) => PromiseLike<Page<Row>>,
    asked: Omit<PageRequest, 'offset'>,
    most: number = Infinity,
  ) {
    this.#read = read
    this.#asked = asked
    this.#most = most
  }

  // oxlint-disable-next-line unicorn/no-thenable -- the first page is what a list is awaited for
  then<Result = Page<Row>, Failed = never>(
    onPage?: ((page: Page<Row>) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): PromiseLike<Result | Failed> {
    return this.page(1).then(onPage, onError)
  }

  /** Returns a page; the first one is 1. */
  page(number: number): PromiseLike<Page<Row>> {
    const { limit } = this.#asked
    return this.#read({ ...this.#asked, offset: (number - 1) * (limit ?? 20) })
  }

  /** Ends the list after so many records. */
  limit(most: number): List<Row> {
    return new List(this.#read, this.#asked, most)
  }

  /** Reads all records into an array. */
  async all(): Promise<Row[]> {
    const rows: Row[] = []
    for await (const row of this) rows.push(row)
    return rows
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    const { criteria, order = 'created:desc' } = this.#asked
    const limit = this.#asked.limit ?? READ
    const operator = { created: '>=', 'created:asc': '>=', 'created:desc': '<=' }[order]
    const seen = new Set<unknown>()
    let left = this.#most
    let boundary: string | undefined
    let offset = 0
    while (left > 0) {
      if (offset + limit > END) {
        throw new CheckstandError(
          `A list in the order of ${order} ends after ${END} records; narrow it down, or order it by created`,
          { status: 0, type: 'LIST_END' },
        )
      }
      const bounded = boundary === undefined ? [] : [`created${operator}${boundary}`]
      const page = await this.#read({
        criteria: [criteria, ...bounded].filter(Boolean).join(','),
        order,
        limit,
        offset,
      })
      for (const row of page.data) {
        const { id = row } = row as Listed
        if (seen.has(id)) continue
        seen.add(id)
        yield row
        left -= 1
        if (left === 0) return
      }
      if (page.data.length < limit) return
      // From the time of the last record on: what is added or archived meanwhile moves no page.
      const last = (page.data.at(-1) as Listed | undefined)?.created
      const isBounded = operator !== undefined && last !== undefined && last !== boundary
      offset = isBounded ? 0 : offset + limit
      if (isBounded) boundary = last
    }
  }
}
