import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Bug, BUGS } from './bugs.ts'
import { runCrash } from './harness.ts'
import { INVARIANTS } from './invariants/index.ts'

const HELP = `npm run crash -- [--kills 20] [--database sqlite|postgres]
                 [--processor sandbox|stripe] [--seed N] [--bug NAME]

Kills the server while twenty clients use it, and checks every invariant after each kill. Ends
with 1 when an invariant is broken. With --processor stripe both merchants have connected Stripe, which
is a fake in the harness's process. With --bug a mistake is planted that must be found:
  ${Object.keys(BUGS).join('\n  ')}`

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Returns the exit code. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '20' },
      database: { type: 'string', default: 'sqlite' },
      processor: { type: 'string', default: 'sandbox' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      bug: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const { database, processor, bug } = values
  const [kills, seed] = [Number(values.kills), Number(values.seed)]
  const isWrong =
    !Number.isInteger(kills) ||
    !Number.isInteger(seed) ||
    (database !== 'sqlite' && database !== 'postgres') ||
    (processor !== 'sandbox' && processor !== 'stripe') ||
    // Mistakes are planted around the sandbox.
    (bug !== undefined && (processor === 'stripe' || !Object.hasOwn(BUGS, bug)))
  if (values.help || isWrong) {
    say(HELP)
    return isWrong ? 2 : 0
  }
  const planted = bug as Bug | undefined
  const report = await runCrash({ kills, database, processor, seed, bug: planted, say })
  for (const { id, description: says, checkedBy: shownBy } of INVARIANTS) {
    const own = report.violations.filter((line) => line.startsWith(`${id} `))
    const found = shownBy ? `see ${shownBy}` : own.length === 0 ? 'holds' : `BROKEN ${own.length}×`
    say(`${id.padEnd(4)}${found.padEnd(14)} ${says}`)
  }
  for (const line of report.violations.slice(0, 40)) say(`violation: ${line}`)
  say(`${report.kills} kills, ${report.calls} calls, ${report.unknown} without an answer`)
  say(JSON.stringify(report.answered))
  if (report.violations.length === 0) await rm(report.folder, { recursive: true, force: true })
  else say(`broken with --seed ${seed}; everything is in ${report.folder}`)
  return report.violations.length === 0 ? 0 : 1
}

process.exitCode = await main()
