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
  /** The path of the API that the screen asks first; null when that is not known before. */
  first: string | null
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
