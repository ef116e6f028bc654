import type { StringAckRecord } from '../../../shared/schemas/string-ack.ts'
import type { StringOverrideRecord } from '../../../shared/schemas/string-override.ts'
import type { RequestError } from '../../api/request.ts'
import { useResource } from '../../api/resource.ts'

/** A text of the merchant's own, as it is published. */
export type OverrideRow = Pick<
  StringOverrideRecord,
  'id' | 'language' | 'branding' | 'text' | 'updated' | 'shipped_changed'
>

/** A stale text that was found right. */
export type AckRow = Pick<StringAckRecord, 'id' | 'language' | 'branding' | 'stale'>

/** More than one sentence has in all languages and brandings. */
const PAGE = 1000
/** A merchant with more rows edits them by API or by files. */
const PAGES = 20

/** Reads all records of a list, by their ids. `path` has no parameters; `member` holds the records in the answer. */
export function useAll<Row extends { id: string }>(
  path: string,
  member: string,
): { rows: readonly Row[] | undefined; error: RequestError | undefined; reload: () => void } {
  type Answer = ReturnType<typeof useResource<Record<string, readonly Row[]>>>
  const answers: Answer[] = []
  const rows: Row[] = []
  let isWhole = false
  let next: string | null = `${path}?limit=${PAGE}&order=id`
  for (let page = 0; page < PAGES; page += 1) {
    const answer: Answer = useResource(next)
    if (next !== null) answers.push(answer)
    const found = answer.data?.[member]
    const last = found?.length === PAGE ? found.at(-1)?.id : undefined
    // The rows of the last id may go on: all of them come with the next page.
    rows.push(...(found ?? []).filter(({ id }) => id !== last))
    if (next !== null && found && last === undefined) isWhole = true
    const criteria = encodeURIComponent(`id>=${last}`)
    next = last === undefined ? null : `${path}?limit=${PAGE}&order=id&criteria=${criteria}`
  }
  return {
    rows: isWhole ? rows : undefined,
    error: answers.find(({ error }) => error !== undefined)?.error,
    reload: () => {
      for (const { reload } of answers) reload()
    },
  }
}
