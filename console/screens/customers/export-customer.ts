import type { Account } from '../../../shared/schemas/account.ts'
import { saveFile } from '../../api/download.ts'
import type { ListMeta } from '../../api/lists.ts'
import { request } from '../../api/request.ts'
import { listQuery } from '../../list/list-address.ts'

const LISTS = ['payments', 'payment_links', 'charges', 'contracts', 'payment_methods'] as const
const PAGE = 1000

/**
 * Saves all that is kept of a customer as a JSON file: the record, and those of every list that names it. `api` makes
 * an address of the instance. Throws a RequestError.
 */
export async function exportCustomer(
  account: Account,
  api: (path: string) => string,
): Promise<void> {
  const lists: Record<string, unknown[]> = {}
  for (const name of LISTS) lists[name] = await readAll(name, account.id, api)
  const content = JSON.stringify({ account, ...lists }, null, 2)
  saveFile(`${account.id}.json`, new Blob([content], { type: 'application/json' }))
}

async function readAll(
  name: (typeof LISTS)[number],
  account: string,
  api: (path: string) => string,
): Promise<unknown[]> {
  const records: unknown[] = []
  let total = 0
  let number = 0
  do {
    number += 1
    const query = listQuery({ criteria: `account=${account}`, limit: PAGE, page: number })
    type Answer = Record<string, unknown[]> & { meta: ListMeta }
    const answer = await request<Answer>('GET', api(`/${name}?${query}`))
    const page: readonly unknown[] = answer[name] ?? []
    records.push(...page)
    total = page.length === 0 ? 0 : answer.meta.total
  } while (records.length < total)
  return records
}
