import type { Role } from './rules/roles.ts'
import type { Preferences } from './schemas/preferences.ts'

/** What the page of the console gets with its document. */
export interface ConsoleBoot {
  /** The value of the header `Checkstand-Console`, which the API requires beside the cookie. */
  token: string
  user: {
    id: string
    email: string
    role: Role
    /** The languages that the user may write strings in; null for all. */
    languages: readonly string[] | null
  }
  preferences: Preferences
  /** The instances that the user can access, oldest first. */
  instances: readonly ConsoleInstance[]
  /** The form that signs out. */
  signOut: { action: string; token: string }
  session: {
    /** Minutes without a request after which the server ends the session. */
    idleMinutes: number
    /** Where the policy of the server requires a second factor that this session has not used. */
    missingFactor: 'live' | 'always' | null
  }
  /** What the first screen asks the API of an instance; null when it is left to the screen. */
  first: {
    /** Key of the instance. */
    instance: string
    /** The `Last-Event-ID` with which the stream of events begins before the answers. */
    lastEventId: string
    /** By path, such as `/c/api/instances/shop/payment_links?limit=50`. */
    answers: Readonly<Record<string, unknown>>
  } | null
  /** Whether the merchant has no payment link yet, so that the console begins with the first one. */
  firstRun: boolean
}

export interface ConsoleInstance {
  key: string
  name: string
  mode: 'TEST' | 'LIVE'
  /** Key of the instance of the other mode that belongs with it. */
  twin: string | null
  currency: string
  timezone: string | null
}
