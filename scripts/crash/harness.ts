import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CARDS } from '../../test/cards.ts'
import { fastFolder } from '../../test/folder.ts'
import { type StartedServer, startPostgres } from '../../test/postgres.ts'
import { until } from '../../test/program.ts'
import { createRandom, type Random } from '../../test/random.ts'
import { openReceiver, type Received, type Receiver } from '../../test/webhook-receiver.ts'
import { type Bug, BUGS } from './bugs.ts'
import { prepareMerchants, runClients } from './clients/index.ts'
import { readBack } from './clients/read-back.ts'
import { createCrashRun, type CrashRun } from './crash-run.ts'
import { violations } from './invariants/index.ts'
import { openLedger } from './ledger.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { createMerchants, SECRET_KEYS } from './merchants.ts'
import { readRecords } from './records.ts'
import { prepareServers } from './servers.ts'
import { settle } from './settle.ts'
import { openStripeLedger } from './stripe-ledger.ts'

/**
 * A crash run: twenty clients use the real server while it is killed again and again, and after
 * each time the invariants are looked at. In the end nothing fails any more, and everything must
 * settle.
 */

export interface CrashOptions {
  kills: number
  database: 'sqlite' | 'postgres'
  processor: 'sandbox' | 'stripe'
  /** Chooses what clients do and when the server is killed. What meets what is left to time. */
  seed: number
  bug?: Bug | undefined
  say: (line: string) => void
}

export interface CrashReport {
  /** Each begins with the name of the invariant that is broken; none is a good run. */
  violations: string[]
  kills: number
  calls: number
  /** Calls without a response, whose outcome the client has to find out. */
  unknown: number
  /** Answered calls by what was meant. */
  answered: Record<string, number>
  /** Where the history, the books, the databases and the violations are. */
  folder: string
}

/** What the processor is like; a planted mistake is to show itself soon. */
const FAIR_DAY = { lossy: 0.02, latencyMs: 40 }
const BAD_DAY = { lossy: 0.15, latencyMs: 200 }
/** The share of webhooks that their receiver sends back. */
const SULKS = 0.1
/** Milliseconds of work between two kills; of a server that is alone, where there are several. */
const WORK_MS = [400, 1_600] as const
const ALONE_MS = [100, 600] as const
/** Responses between two kills at least, for which a busy machine takes longer. */
const RESPONSES_MIN = 50

/** For the database and the history of the longest run. */
const FREE_BYTES_MIN = 2 * 1024 ** 3

/** Of this many received tokens and codes, the newest, no file of the server may hold any. */
const SECRETS_MAX = 200

/** Runs it to the end, or to the first thing that is wrong. */
export async function runCrash(options: CrashOptions): Promise<CrashReport> {
  const { seed, say, bug } = options
  const random = createRandom(seed)
  const folder = await mkdtemp(join(fastFolder(FREE_BYTES_MIN), 'checkstand-crash-'))
  say(
    `seed ${seed} · ${options.database} · ${options.processor} · ${options.kills} kills · ${folder}`,
  )
  const clock = { aheadMs: 0 }
  const open = options.processor === 'stripe' ? openStripeLedger : openLedger
  const ledger = await open({
    folder,
    random: random.fork('ledger'),
    now: () => Date.now() + clock.aheadMs,
    ...(bug ? BAD_DAY : FAIR_DAY),
  })
  const mailbox = await openMailbox({ random: random.fork('mailbox') })
  const receiver = await openReceiver()
  const taken = new Set<Received>()
  const sulker = random.fork('receiver')
  takeWebhooks({ receiver, taken }, () => sulker.chance(SULKS))
  const postgres = options.database === 'postgres' ? await startPostgres('crash') : undefined
  const databaseUrl = postgres?.adminUrl ?? `file:${folder}/checkstand.db`
  const servers = prepareServers({
    count: postgres ? 2 : 1,
    databaseUrl,
    env: { ...ledger.env, SMTP_URL: mailbox.url },
    folder,
    bug,
  })
  try {
    const { platform, instances } = await createMerchants(databaseUrl)
    const lab = createCrashRun({
      historyFile: join(folder, 'history.jsonl'),
      ledger,
      servers,
      platform,
      processors: await ledger.connect(databaseUrl, instances),
      databaseFails: postgres !== undefined,
    })
    await servers.startAll()
    await prepareMerchants(lab, receiver.url, random.fork('shops'))
    const finals = new Map<string, string>()
    const outside = { receiver, taken, mailbox, postgres, databaseUrl }
    const world = { options, lab, ...outside, folder, random, finals }
    return await run(world, (aheadMs) => {
      clock.aheadMs = aheadMs
      servers.setClock(aheadMs)
    })
  } finally {
    await servers.killAll()
    receiver.close()
    await mailbox.close()
    await ledger.close()
    await postgres?.stop()
  }
}

interface World {
  options: CrashOptions
  lab: CrashRun
  receiver: Receiver
  /** The deliveries that were answered with 204, after which they need not be repeated. */
  taken: Set<Received>
  mailbox: Mailbox
  postgres: StartedServer | undefined
  databaseUrl: string
  folder: string
  random: Random
  finals: Map<string, string>
}

/** Answers webhooks from now on. Those that are not refused go into `taken`. */
function takeWebhooks(
  { receiver, taken }: Pick<World, 'receiver' | 'taken'>,
  refuses: () => boolean,
) {
  receiver.answer((response, delivery) => {
    const isRefused = refuses()
    if (!isRefused) taken.add(delivery)
    response.writeHead(isRefused ? 500 : 204).end()
  })
}

/** A planted mistake may break other invariants before its own. */
function isFound(broken: readonly string[], bug: Bug | undefined): boolean {
  if (bug === undefined) return broken.length > 0
  return broken.some((line) => line.startsWith(`${BUGS[bug]} `))
}

async function run(world: World, setClock: (aheadMs: number) => void): Promise<CrashReport> {
  const { lab, options, random } = world
  const clients = runClients(lab, random.fork('clients'))
  const times = random.fork('times')
  let kills = 0
  let broken: string[] = []
  while (kills < options.kills && !isFound(broken, options.bug)) {
    const before = responsesIn(lab)
    await pause(times.between(...WORK_MS))
    await until('clients to work', async () => responsesIn(lab) >= before + RESPONSES_MIN)
    kills += 1
    broken = await crash(world, kills)
    options.say(`kill ${kills}: ${lab.history.calls.length} calls, ${broken.length} violations`)
  }
  lab.gate.end()
  lab.gate.open()
  await clients
  if (broken.length === 0) {
    lab.ledger.behave()
    world.mailbox.behave()
    takeWebhooks(world, () => false)
    const open = await settle(lab, world.databaseUrl, setClock)
    options.say(`settled, with ${open.length} left open`)
    broken = [...open, ...(await look(world, true))]
  }
  if (broken.length > 0) await writeFile(join(world.folder, 'violations.txt'), broken.join('\n'))
  return reportOf(world, kills, broken)
}

const responsesIn = ({ history }: CrashRun) =>
  history.calls.filter(({ status }) => status !== undefined).length

/** Ends a process while clients are busy, looks at what is left, and starts it again. */
async function crash(world: World, kill: number): Promise<string[]> {
  const { lab, options, postgres, random } = world
  const { servers, gate } = lab
  // Every third time it is the database that ends, where it is one that can. The seed says which turn
  // is first, so that short runs take all of them.
  const turn = kill + (options.seed % 3)
  if (postgres && turn % 3 === 0) {
    await postgres.crash()
    await gate.close()
    await postgres.restart()
    const broken = await look(world, false)
    gate.open()
    return broken
  }
  const at = turn % servers.count
  const killed = servers.kill(at)
  // Another server continues for a while, with the work that the killed one left.
  if (servers.count > 1) await pause(random.between(...ALONE_MS))
  await gate.close()
  await killed
  const broken = await look(world, false)
  await servers.start(at)
  gate.open()
  return [...broken, ...(await readBack(lab, random))]
}

/** Gathers the evidence and judges it. No client is doing anything. */
async function look(world: World, settled: boolean): Promise<string[]> {
  const { lab, receiver, taken, mailbox, finals } = world
  const { ledger } = lab
  // In this order, every delivered event must be among the records, and so must every operation
  // that the processor made before the records were read. A mail that is recorded as sent has arrived.
  const deliveries = [...receiver.received]
  const earlier = await ledger.books()
  const records = await readRecords(world.databaseUrl)
  const later = await ledger.books()
  const mails = [...mailbox.received]
  const evidence = {
    calls: lab.history.calls,
    records,
    earlier,
    later,
    deliveries,
    taken,
    mails,
    webhookSecrets: lab.webhookSecrets,
    finals,
    settled,
    secrets: settled ? secretsOf(lab) : [],
    files: settled ? await readFiles(world) : [],
  }
  const asked = ledger.problems().map((problem) => `the processor was asked wrongly: ${problem}`)
  return [...lab.unexpectedResponses, ...asked, ...violations(evidence)]
}

/** What stands in no file of the server: keys, tokens and codes of this run, and card numbers. */
function secretsOf({ history, platform, ledger }: CrashRun): string[] {
  const received = history.calls.slice(-SECRETS_MAX * 20).flatMap(({ op, json, about }) => {
    if (json === undefined) return []
    if (op === 'open') return [json.token]
    return op === 'code.redeem' ? [about?.['code'], json.access_token, json.refresh_token] : []
  })
  return [
    ...Object.values(SECRET_KEYS),
    platform.clientSecret,
    CARDS.approve,
    CARDS.noAnswerTaken,
    ...ledger.secrets(),
    ...received
      .filter((secret): secret is string => typeof secret === 'string')
      .slice(-SECRETS_MAX),
  ]
}

/** The server's own files, without the harness's, which may contain secrets. */
async function readFiles({ folder, lab }: World): Promise<[string, string][]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('checkstand.db'))
  const paths = [...names.map((name) => join(folder, name)), lab.servers.logFile]
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'latin1')]),
  )
}

function reportOf({ lab, folder }: World, kills: number, broken: string[]): CrashReport {
  const { calls } = lab.history
  const answered = Map.groupBy(
    calls.filter(({ status }) => status !== undefined && status < 400),
    ({ op }) => op,
  )
  return {
    violations: broken,
    kills,
    calls: calls.length,
    unknown: calls.filter(({ status }) => status === undefined).length,
    answered: Object.fromEntries([...answered].map(([op, own]) => [op, own.length])),
    folder,
  }
}
