import type { StringAckRecord } from '../../../shared/schemas/string-ack.ts'
import type { StringOverrideRecord } from '../../../shared/schemas/string-override.ts'
import type { RequestError } from '../../api/request.ts'
import type { ListMeta } from '../../api/lists.ts'
import { useResource } from '../../api/resource.ts'

/** A text of the merchant's own, as it is published. */
export type OverrideRow = Pick<
  StringOverrideRecord,
  'id' | 'language' | 'branding' | 'text' | 'updated' | 'shipped_changed'
>

/** A stale text that was found right. */
export type AckRow = Pick<StringAckRecord, 'id' | 'language' | 'branding' | 'stale'>

const PAGE = 1000
/** A merchant with more rows edits them by API or by files. */
const PAGES = 20

/** Reads all records of a list. `path` has no parameters; `member` holds the records in the answer. */
export function useAll<Row>(
  path: string,
  member: string,
): { rows: readonly Row[] | undefined; error: RequestError | undefined; reload: () => void } {
  type Answer = Record<string, readonly Row[]> & { meta: ListMeta }
  const [first, ...more] = pagesOf(path)
  const answers = [useResource<Answer>(first ?? null)]
  const total = answers[0]?.data?.meta.total ?? 0
  for (const [at, page] of more.entries()) {
    answers.push(useResource<Answer>(total > (at + 1) * PAGE ? page : null))
  }
  const asked = answers.slice(0, Math.max(1, Math.min(PAGES, Math.ceil(total / PAGE))))
  const isWhole = asked.every(({ data }) => data !== undefined)
  return {
    rows: isWhole ? asked.flatMap(({ data }) => data?.[member] ?? []) : undefined,
    error: asked.find(({ error }) => error !== undefined)?.error,
    reload: () => {
      for (const { reload } of asked) reload()
    },
  }
}

const pagesOf = (path: string): string[] =>
  Array.from({ length: PAGES }, (_, page) => `${path}?limit=${PAGE}&offset=${page * PAGE}`)
