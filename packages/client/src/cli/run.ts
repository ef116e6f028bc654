import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { Checkstand, CheckstandError } from '../index.ts'
import { completion } from './completion.ts'
import { importStripe } from './import-stripe.ts'
import { listen } from './listen.ts'
import { createPrinter, type Printer } from './print.ts'
import { clientOf, type Profile, readProfile, storeProfile } from './profile.ts'
import { revokeGrant, signIn } from './sign-in.ts'
import { checkStrings, pullStrings, pushStrings } from './strings.ts'
import { trigger, TRIGGERED } from './trigger.ts'
import { requireArgument, UsageError } from './usage.ts'

const HELP = `checkstand-client <command>

  login [address] [--scope read]        sign in with your browser
  login [address] --key [--instance key]  keep a secret key; it is asked for, or read from a pipe
  logout, whoami
  links create --amount 24.00 [--currency EUR] [--name text] [--alt-key key] [--success-url url] [--open]
  links edit <id> [--amount 26.00] [--currency EUR] [--name text] [--alt-key key] [--success-url url]
  links list | get <id> | archive <id> | open <id> | qr <id> [--out code.svg]
  payments list | get <id or key>
  payments refund | capture <id or key> [--amount 12.00]
  payments void <id or key>
  customers list | get <id or key>
  charges list | get <id or key> | write-off <id or key>
  events list [--types payment.*]
  webhooks list | test <id> | replay <id> <event>
  listen [--forward-to localhost:3000/hooks] [--events payment.*] [--header name:value] [--secret whsec_…]
  strings pull | push | check [--dir strings] [--languages fr,de] [--branding key] [--only own] [--publish]
  import stripe --stripe-key rk_… | --file links.json [--publish] [--out moved.csv]
  trigger <event> | trigger --list      make an event happen in a test instance
  open [console | docs]
  api get <path> | api post <path> <json>
  completion bash | zsh | fish

  --profile name   another set of address and key      --json    for programs
  --where criteria, --order, --limit   for lists       --yes     do not ask before money moves

CHECKSTAND_KEY, CHECKSTAND_URL and CHECKSTAND_INSTANCE take the place of a login.`

const OPTIONS = {
  amount: { type: 'string' },
  'alt-key': { type: 'string' },
  branding: { type: 'string' },
  currency: { type: 'string' },
  dir: { type: 'string' },
  events: { type: 'string' },
  file: { type: 'string' },
  'forward-to': { type: 'string' },
  header: { type: 'string', multiple: true },
  help: { type: 'boolean' },
  'idempotency-key': { type: 'string' },
  instance: { type: 'string' },
  json: { type: 'boolean' },
  key: { type: 'boolean' },
  languages: { type: 'string' },
  limit: { type: 'string' },
  list: { type: 'boolean' },
  name: { type: 'string' },
  note: { type: 'string' },
  only: { type: 'string' },
  open: { type: 'boolean' },
  order: { type: 'string' },
  out: { type: 'string' },
  profile: { type: 'string' },
  publish: { type: 'boolean' },
  scope: { type: 'string' },
  secret: { type: 'string' },
  'stripe-api': { type: 'string' },
  'stripe-key': { type: 'string' },
  'success-url': { type: 'string' },
  types: { type: 'string' },
  where: { type: 'string' },
  yes: { type: 'boolean' },
} as const

type Values = ReturnType<typeof read>['values']

interface Surroundings {
  signal: AbortSignal
  write: (text: string) => void
  warn: (text: string) => void
  /** Where answers come from. */
  input?: NodeJS.ReadableStream & { isTTY?: boolean }
  /** Shows an address in a browser. */
  browse?: (url: string) => void
}

interface Run extends Surroundings {
  values: Values
  args: readonly string[]
  print: Printer
  profile: () => Profile
  client: () => Promise<Checkstand>
}

/** Runs a command. Returns the exit code: 2 for wrong usage, 1 for an error. */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    const { values, positionals } = read(argv)
    const [name, ...args] = positionals
    if (values.help || name === undefined || name === 'help') {
      surroundings.write(`${HELP}\n`)
      return name === undefined && !values.help ? 2 : 0
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command) throw new UsageError(`There is no command ${name}\n\n${HELP}`)
    const own = values.profile ?? 'default'
    const profile = () => readProfile(own)
    await command({
      ...surroundings,
      values,
      args,
      profile,
      client: () => clientOf(own),
      print: createPrinter(surroundings.write, { json: values.json ?? false }),
    })
    return 0
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseError(error)
    const { message } = error as Error
    const id = error instanceof CheckstandError ? error.requestId : undefined
    surroundings.warn(`${message}${id === undefined ? '' : ` (request ${id})`}\n`)
    return isUsage ? 2 : 1
  }
}

const read = (argv: readonly string[]) =>
  parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS })

const isParseError = (error: unknown) =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')

/** What commands with actions take. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  links: ['create', 'edit', 'list', 'get', 'archive', 'open', 'qr'],
  payments: ['list', 'get', 'refund', 'capture', 'void'],
  customers: ['list', 'get'],
  charges: ['list', 'get', 'write-off'],
  events: ['list'],
  import: ['stripe'],
  strings: ['pull', 'push', 'check'],
  webhooks: ['list', 'test', 'replay'],
  open: ['console', 'docs'],
  api: ['get', 'post', 'put', 'delete'],
}

const COMMANDS: Readonly<Record<string, (run: Run) => Promise<void>>> = {
  login,
  async logout({ values, print }) {
    const name = values.profile ?? 'default'
    const before = storeProfile(name, undefined)
    if (before?.grant) await revokeGrant(before.baseUrl, before.grant)
    print.line(before ? `${name} is forgotten` : `There is no profile ${name}`)
  },
  async whoami({ client, print }) {
    const { whoami } = await (await client()).request<{ whoami: object }>('GET', '/whoami')
    print.record(whoami)
  },
  links,
  payments,
  async customers({ args, client, print, values }) {
    const [action] = args
    const { accounts } = await client()
    if (action === 'get')
      return print.record(await accounts.get(requireArgument(args, 1, 'The id')))
    expectAction(action, ACTIONS['customers'])
    const { data } = await accounts.list(listed(values))
    print.rows(
      'accounts',
      pick(data, ['id', 'crm_key', 'first_name', 'last_name', 'email', 'created']),
    )
  },
  async charges({ args, client, print, values }) {
    const [action] = args
    const { charges } = await client()
    if (action === 'get') return print.record(await charges.get(requireArgument(args, 1, 'The id')))
    if (action === 'write-off') {
      return print.record(
        await charges.update(requireArgument(args, 1, 'The id'), { status: 'WRITTENOFF' }),
      )
    }
    expectAction(action, ACTIONS['charges'])
    const { data } = await charges.list(listed(values))
    print.rows(
      'charges',
      pick(data, ['id', 'outstanding_amount', 'currency', 'status', 'due', 'account']),
    )
  },
  async events({ args, client, print, values }) {
    expectAction(args[0], ACTIONS['events'])
    const { data } = await (await client()).events.list(listed(values))
    const wanted = values.types?.split(',').map((type) => type.replace('*', ''))
    const shown = data.filter(({ type }) => wanted?.some((each) => type.startsWith(each)) ?? true)
    print.rows('events', pick(shown, ['id', 'type', 'created']))
  },
  async listen({ profile, values, ...run }) {
    await listen({
      ...run,
      profile,
      name: values.profile ?? 'default',
      forwardTo: values['forward-to'],
      types: values.events,
      headers: values.header ?? [],
      secret: values.secret,
      json: values.json ?? false,
    })
  },
  async strings({ args, client, print, values }) {
    const [action = ''] = args
    const work = { pull: pullStrings, push: pushStrings, check: checkStrings }[action]
    if (!work) return expectAction(action === '' ? undefined : action, ACTIONS['strings'])
    await work(
      await client(),
      {
        dir: values.dir ?? 'strings',
        languages: values.languages?.split(','),
        branding: values.branding,
        only: values.only,
        publish: values.publish ?? false,
        note: values.note,
      },
      print,
    )
  },
  async webhooks({ args, client, print, values }) {
    const [action] = args
    const { webhooks } = await client()
    const id = () => requireArgument(args, 1, 'The id of the webhook')
    if (action === 'test') return print.record(await webhooks.test(id(), keyed(values)))
    if (action === 'replay') {
      const event = requireArgument(args, 2, 'The id of the event')
      return print.record(await webhooks.replay(id(), { event }, keyed(values)))
    }
    expectAction(action, ACTIONS['webhooks'])
    const { data } = await webhooks.list(listed(values))
    print.rows('instance_webhooks', pick(data, ['id', 'url', 'enabled', 'created']))
  },
  async import({ args, client, print, values }) {
    expectAction(args[0], ACTIONS['import'])
    await importStripe(
      await client(),
      {
        stripeKey: values['stripe-key'] ?? process.env['STRIPE_KEY'],
        stripeApi: values['stripe-api'] ?? 'https://api.stripe.com',
        file: values.file,
        publish: values.publish ?? false,
        out: values.out ?? 'moved.csv',
      },
      print,
    )
  },
  async completion({ args, write }) {
    const shell = requireArgument(args, 0, 'bash, zsh or fish')
    const commands = Object.fromEntries(
      Object.keys(COMMANDS).map((name) => [name, ACTIONS[name] ?? []]),
    )
    write(completion(shell, { commands, options: Object.keys(OPTIONS) }))
  },
  async trigger({ args, profile, client, print, values }) {
    if (values.list)
      return print.rows(
        'events',
        TRIGGERED.map((type) => ({ type })),
      )
    const type = requireArgument(args, 0, 'The event')
    await trigger(type, profile(), await client())
    print.line(`${type} has happened`)
  },
  async open({ args, profile, print, browse = openBrowser }) {
    const { baseUrl, instance } = profile()
    const [place = 'console'] = args
    const paths: Record<string, string> = { console: `/console/${instance}`, docs: '/docs' }
    if (!Object.hasOwn(paths, place)) throw new UsageError('open takes console or docs')
    const { href } = new URL(paths[place] ?? '', baseUrl)
    print.line(href)
    browse(href)
  },
  async api({ args, client, print, values }) {
    const method = requireArgument(args, 0, 'get, post, put or delete').toUpperCase()
    if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method)) {
      throw new UsageError(`api takes get, post, put or delete, not ${args[0]}`)
    }
    const path = requireArgument(args, 1, 'The path')
    const body = args[2] === undefined ? undefined : parseJson(args[2])
    const key = values['idempotency-key']
    const answer = await (
      await client()
    ).request<object | undefined>(method as 'GET', path.startsWith('/') ? path : `/${path}`, {
      ...(body !== undefined && { body }),
      ...(key !== undefined && { idempotencyKey: key }),
    })
    if (answer === undefined) return
    if (values.json) print.record(answer)
    else print.line(JSON.stringify(answer, null, 2))
  },
}

async function login(run: Run): Promise<void> {
  const { args, values, print, input = process.stdin, write } = run
  const [address = 'http://localhost:4242'] = args
  if (!URL.canParse(address))
    throw new UsageError(`${address} is no address: it begins with https://`)
  const { origin: baseUrl } = new URL(address)
  const name = values.profile ?? 'default'
  if (values.key) {
    const key = await readKey(input, write)
    const profile = { baseUrl, instance: values.instance ?? 'default', key }
    const { name: shop, mode } = await new Checkstand(profile).instance.get()
    storeProfile(name, profile)
    return print.line(`Signed in to ${shop} (${mode.toLowerCase()})`)
  }
  const grant = await signIn(baseUrl, { scope: values.scope ?? 'read write', ...surfaceOf(run) })
  const { whoami } = await new Checkstand({ baseUrl, token: grant.token }).request<WhoAmI>(
    'GET',
    '/whoami',
  )
  const { key: instance, name: shop, mode } = whoami.instance
  storeProfile(name, { baseUrl, instance, grant })
  print.line(`Signed in to ${shop} (${mode.toLowerCase()})`)
}

interface WhoAmI {
  whoami: { instance: { key: string; name: string; mode: string } }
}

/** How a person is sent to the browser: the address is printed too, for a machine without one. */
const surfaceOf = ({ signal, warn, browse = openBrowser }: Run) => ({
  signal,
  ask(url: string) {
    warn(`Sign in with your browser: ${url}\n`)
    browse(url)
  },
})

/** Asks for the key at a terminal, and reads it from a pipe. It is no argument, which other users could see. */
async function readKey(input: NonNullable<Surroundings['input']>, write: (text: string) => void) {
  if (input.isTTY) write('Secret key: ')
  const lines = createInterface({ input })
  for await (const line of lines) {
    lines.close()
    if (line.trim() !== '') return line.trim()
  }
  throw new UsageError('The key is missing: type it, or pipe it in')
}

/** Returns those options of a link that the command names. */
function linkOptions(values: Values) {
  const options = {
    amount: values.amount,
    currency: values.currency,
    name: values.name,
    alt_key: values['alt-key'],
    success_url: values['success-url'],
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

async function links(run: Run): Promise<void> {
  const { args, client, print, values, browse = openBrowser } = run
  const [action] = args
  const { paymentLinks } = await client()
  const id = () => requireArgument(args, 1, 'The id of the link')
  switch (action) {
    case 'create': {
      const link = await paymentLinks.create({ options: linkOptions(values) }, keyed(values))
      print.record({ id: link.id, url: link.url, status: link.status })
      if (values.open) browse(link.url)
      return
    }
    case 'edit': {
      const options = linkOptions(values)
      if (Object.keys(options).length === 0) throw new UsageError('Nothing to change is named')
      return print.record(await paymentLinks.update(id(), { options }, { mode: 'PATCH' }))
    }
    case 'qr':
      return writeQrCode(run, id())
    case 'get':
      return print.record(await paymentLinks.get(id()))
    case 'archive':
      await paymentLinks.archive(id())
      return print.line('It is archived')
    case 'open': {
      const { url } = await paymentLinks.get(id())
      print.line(url)
      return browse(url)
    }
    default: {
      expectAction(action, ACTIONS['links'])
      const { data } = await paymentLinks.list(listed(values))
      print.rows(
        'payment_links',
        data.map(({ id: link, status, url, created, options: { name, amount, currency } }) => ({
          id: link,
          name: name ?? null,
          amount: amount ?? null,
          currency: currency ?? null,
          status,
          created,
          url,
        })),
      )
    }
  }
}

/** Writes the QR code of a link, an SVG that its server draws, into the file of `--out` or to the output. */
async function writeQrCode({ values, profile, print, write }: Run, id: string): Promise<void> {
  const { out } = values
  const address = new URL(`/pay/${encodeURIComponent(id)}/qr.svg`, profile().baseUrl)
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address.href} answered ${answer.status}`)
  const svg = await answer.text()
  if (out === undefined) return write(`${svg}\n`)
  writeFileSync(out, svg)
  print.line(`Written to ${out}`)
}

async function payments(run: Run): Promise<void> {
  const { args, client, print, values } = run
  const [action] = args
  const { payments: api } = await client()
  const id = () => requireArgument(args, 1, 'The id or key of the payment')
  const amount = values.amount === undefined ? {} : { amount: values.amount }
  switch (action) {
    case 'get':
      return print.record(await api.get(id()))
    case 'refund':
      await confirm(run, `Give back ${values.amount ?? 'all'} of ${id()}?`)
      return print.record(await api.refund(id(), amount, keyed(values)))
    case 'capture':
      await confirm(run, `Capture ${values.amount ?? 'all'} of ${id()}?`)
      return print.record(await api.capture(id(), amount, keyed(values)))
    case 'void':
      await confirm(run, `Let the authorization ${id()} go?`)
      return print.record(await api.void(id(), {}, keyed(values)))
    default: {
      expectAction(action, ACTIONS['payments'])
      const { data } = await api.list(listed(values))
      const columns = [
        'id',
        'amount',
        'currency',
        'status',
        'alt_key',
        'reference',
        'created',
      ] as const
      print.rows('payments', pick(data, columns))
    }
  }
}

/** Asks before money moves. Throws a UsageError without a yes, also where nobody can be asked. */
async function confirm(
  { values, input = process.stdin, write }: Run,
  question: string,
): Promise<void> {
  if (values.yes) return
  if (!input.isTTY) throw new UsageError('--yes is needed where nobody can be asked')
  write(`${question} [y/N] `)
  const lines = createInterface({ input })
  for await (const line of lines) {
    lines.close()
    if (/^y(?:es)?$/i.test(line.trim())) return
    break
  }
  throw new UsageError('Nothing was done')
}

const keyed = (values: Values) => {
  const key = values['idempotency-key']
  return key === undefined ? {} : { idempotencyKey: key }
}

function listed({ where, order, limit }: Values) {
  if (limit !== undefined && !/^\d{1,4}$/.test(limit)) {
    throw new UsageError('--limit is a number up to 1000')
  }
  return {
    ...(where !== undefined && { where }),
    ...(order !== undefined && { order }),
    ...(limit !== undefined && { limit: Number(limit) }),
  }
}

function pick<Row extends object, Name extends keyof Row>(
  rows: readonly Row[],
  names: readonly Name[],
) {
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
}

function expectAction(action: string | undefined, actions: readonly string[] = []): void {
  if (action !== undefined && actions.includes(action)) return
  throw new UsageError(
    `${action === undefined ? 'What?' : `There is no ${action}:`} ${actions.join(', ')}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('The body is not JSON')
  }
}

function openBrowser(url: string): void {
  const command = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  // A machine without a browser has the address above.
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
