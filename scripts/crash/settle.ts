import { setTimeout as pause } from 'node:timers/promises'
import type { CrashRun } from './crash-run.ts'
import { readRecords } from './records.ts'

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
  let open: string[] = []
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    await askAgain(lab)
    await pause(LOOK_MS)
    open = [...(await unsettled(databaseUrl)), ...[...lab.open.keys()].map(unanswered)]
    if (open.length === 0) {
      await lab.servers.killAll()
      open = await unsettled(databaseUrl)
      if (open.length === 0) return []
      await lab.servers.startAll()
    }
    // Servers rely on it that no request to a processor lasts for minutes.
    await lab.ledger.idle()
    setClock((looks + 1) * STEP_MS)
  }
  await lab.servers.killAll()
  return open
}

const unanswered = (key: string) => `I7 the request ${key} gets no answer`

async function askAgain(lab: CrashRun): Promise<void> {
  await Promise.all([...lab.open.values()].map(({ client, request }) => client.insist(request)))
}

/** What the server still has to do by itself. */
async function unsettled(databaseUrl: string): Promise<string[]> {
  const { attempts, setups, deliveries, events, mails } = await readRecords(databaseUrl)
  return [
    ...[...attempts, ...setups]
      .filter(({ state }) => state !== 'DONE')
      .map(({ id, state }) => `I7 the operation ${id} stays ${state}`),
    ...deliveries
      .filter(({ status }) => status === 'WAITING')
      .map(({ id }) => `I9 the delivery ${id} stays waiting`),
    ...events
      .filter(({ fan_out }) => fan_out === 1)
      .map(({ id }) => `I9 the event ${id} is not handed out`),
    ...mails
      .filter(({ status }) => status === 'WAITING')
      .map(({ id }) => `I25 the mail ${id} stays waiting`),
  ]
}
