import { rebuildInsights } from '../insights/file.ts'
import { withDatabase } from './database.ts'
import { print } from './output.ts'
import { readUsage } from './usage.ts'

const HELP = `npx checkstand insights rebuild [--json]

rebuild makes the totals of payments and the words of searches anew from the records. They are made of
all changes anyway; this is for a database whose totals are doubted. Until it ends, they are incomplete.
A server may be running.`

const read = (args: string[]) =>
  readUsage(args, { help: HELP, actions: { rebuild: 0 }, options: {} })

/** `checkstand insights …`. */
export async function insightsCommand(args: string[]): Promise<void> {
  const usage = read(args)
  if (!usage) return
  const records = await withDatabase(({ db }) => rebuildInsights({ db }))
  print({ records }, usage.json)
}
