import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../server/db/open.ts'
import type { Db, Tables } from '../../server/db/tables.ts'
import type { CrashRun } from './crash-run.ts'

/** How far the servers' clock goes ahead at each look, and how often is looked. */
const STEP_MS = 20 * 60_000
const LOOKS_MAX = 120
const LOOK_MS = 250

/**
 * Waits until all work is done: no fault occurs any more, requests without a response are repeated,
 * and the clock advances to the server's next jobs. Then kills the servers, since a running one may
 * begin new work at any moment, such as the event of an expired checkout. Returns what stays open.
 */
export async function settle(
  lab: CrashRun,
  databaseUrl: string,
  setClock: (aheadMs: number) => void,
): Promise<string[]> {
  const opened = await openDatabase<Tables>(databaseUrl)
  try {
    let open: string[] = []
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      await askAgain(lab)
      await pause(LOOK_MS)
      open = [...(await unsettled(opened.db)), ...[...lab.open.keys()].map(unanswered)]
      if (open.length === 0) {
        await lab.servers.killAll()
        open = await unsettled(opened.db)
        if (open.length === 0) return []
        await lab.servers.startAll()
      }
      setClock((looks + 1) * STEP_MS)
    }
    await lab.servers.killAll()
    return open
  } finally {
    await opened.close()
  }
}

const unanswered = (key: string) => `I7 the request ${key} gets no answer`

async function askAgain(lab: CrashRun): Promise<void> {
  await Promise.all([...lab.open.values()].map(({ client, request }) => client.insist(request)))
}

/** What the server still has to do by itself. */
async function unsettled(db: Db): Promise<string[]> {
  const attempts = await db
    .selectFrom('attempts')
    .select(['id', 'state'])
    .where('state', '<>', 'DONE')
    .execute()
  const deliveries = await db
    .selectFrom('deliveries')
    .select('id')
    .where('status', '=', 'WAITING')
    .execute()
  const events = await db.selectFrom('events').select('id').where('fan_out', '=', 1).execute()
  return [
    ...attempts.map(({ id, state }) => `I7 the attempt ${id} stays ${state}`),
    ...deliveries.map(({ id }) => `I9 the delivery ${id} stays waiting`),
    ...events.map(({ id }) => `I9 the event ${id} is not handed out`),
  ]
}
