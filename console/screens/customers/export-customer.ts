import type { Account } from '../../../shared/schemas/account.ts'
import { saveFile } from '../../api/download.ts'
import { readFromOldest } from '../../api/read-from-oldest.ts'
import { request } from '../../api/request.ts'
import { listQuery } from '../../../shared/list-query.ts'

const LISTS = ['payments', 'payment_links', 'charges', 'contracts', 'payment_methods'] as const
const PAGE = 1000

interface Listed {
  id: string
  created: string
}

/**
 * Saves all that is kept of a customer as a JSON file: the record, and those of every list that names it. `api` makes
 * an address of the instance. Throws a RequestError.
 */
export async function exportCustomer(
  account: Account,
  api: (path: string) => string,
): Promise<void> {
  const lists: Record<string, unknown[]> = {}
  for (const name of LISTS) {
    lists[name] = await readFromOldest(PAGE, async (since) => {
      const criteria = `account=${account.id}${since && `,created>=${since}`}`
      const query = listQuery({ criteria, order: 'created', limit: PAGE })
      const answer = await request<Record<string, Listed[]>>('GET', api(`/${name}?${query}`))
      return answer[name] ?? []
    })
  }
  const content = JSON.stringify({ account, ...lists }, null, 2)
  saveFile(`${account.id}.json`, new Blob([content], { type: 'application/json' }))
}
