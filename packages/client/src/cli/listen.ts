import { randomBytes } from 'node:crypto'
import { signEvent } from '../testing.ts'
import type { Printer } from './print.ts'
import { accessOf, type Profile } from './profile.ts'
import { streamEvents } from './stream.ts'
import { UsageError } from './usage.ts'

export interface ListenOptions {
  /** Name of the profile. */
  name: string
  profile: () => Profile
  /** Where each event is posted; events are only printed without one. */
  forwardTo: string | undefined
  types: string | undefined
  headers: readonly string[]
  /** The secret that signs; a new one when undefined. */
  secret: string | undefined
  json: boolean
  signal: AbortSignal
  print: Printer
  write: (text: string) => void
}

const FORWARD_MS = 10_000

/**
 * Prints the events of the instance as they happen, and posts them to a program on this machine, signed as a webhook.
 * Goes on after broken connections without losing one.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { name, profile, forwardTo, types, signal, print, json, write } = options
  const { baseUrl } = profile()
  const access = () => accessOf(name)
  const target = forwardTo === undefined ? undefined : addressOf(forwardTo)
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const headers = Object.fromEntries(options.headers.map(headerOf))
  if (target) print.line(`Events are signed with ${secret}`)
  const onState = (state: 'connected' | 'lost') =>
    print.line(
      state === 'connected'
        ? `Listening to ${baseUrl}`
        : 'The connection is lost; it goes on where it was',
    )
  for await (const event of streamEvents({ access, types, signal, onState })) {
    const sent = target ? await forward(target, event, { secret, headers }) : undefined
    if (json) write(`${JSON.stringify({ event, ...sent })}\n`)
    else print.line(`${event.created}  ${event.type}  ${event.id}${sent ? `  ${about(sent)}` : ''}`)
  }
}

interface Forwarded {
  status: number | null
  ms: number
  error?: string
}

const about = ({ status, ms, error }: Forwarded) => `${status ?? error ?? 'no answer'} in ${ms} ms`

async function forward(
  url: URL,
  event: Parameters<typeof signEvent>[0],
  { secret, headers }: { secret: string; headers: Record<string, string> },
): Promise<Forwarded> {
  const signed = await signEvent(event, { secret })
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: signed.body,
      headers: { ...headers, ...signed.headers },
      signal: AbortSignal.timeout(FORWARD_MS),
    })
    return { status, ms: ms() }
  } catch (error) {
    const { cause, message } = error as Error
    return { status: null, ms: ms(), error: (cause as Error | undefined)?.message ?? message }
  }
}

/** `localhost:3000/hooks?tenant=7` with its whole query. */
function addressOf(text: string): URL {
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(whole)) throw new UsageError(`--forward-to is no address: ${text}`)
  return new URL(whole)
}

function headerOf(text: string): [string, string] {
  const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(text) ?? []
  if (name === '') throw new UsageError(`--header is "name: value", not "${text}"`)
  return [name.toLowerCase(), value]
}
