import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Checkstand } from '../index.ts'
import { expiresSoon, type Grant, refreshGrant } from './sign-in.ts'
import { UsageError } from './usage.ts'

/** Where commands call, and as whom: with a secret key, or for a user who signed in. */
export type Profile = { baseUrl: string; instance: string } & (
  | { key: string; grant?: undefined }
  | { grant: Grant; key?: undefined }
)

interface Stored {
  profiles: Record<string, Profile>
}

/** The file of the profiles, which only its user reads. */
export function profileFile(env: NodeJS.ProcessEnv = process.env): string {
  const folder = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(folder, 'checkstand', 'config.json')
}

function readStored(): Stored {
  try {
    return JSON.parse(readFileSync(profileFile(), 'utf8')) as Stored
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw new UsageError(`${profileFile()} cannot be read: ${(error as Error).message}`)
  }
}

/** Stores a profile, or removes it when there is none. Returns the one that was there. */
export function storeProfile(name: string, profile: Profile | undefined): Profile | undefined {
  const stored = readStored()
  const before = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined
  if (profile) stored.profiles[name] = profile
  else delete stored.profiles[name]
  const file = profileFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Another command never reads half of it.
  const written = `${file}.${process.pid}`
  writeFileSync(written, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  renameSync(written, file)
  return before
}

/**
 * Returns the profile of a command: that of the environment (`CHECKSTAND_KEY`, `CHECKSTAND_URL`,
 * `CHECKSTAND_INSTANCE`), else the stored one. Throws a UsageError when there is none.
 */
export function readProfile(name: string, env: NodeJS.ProcessEnv = process.env): Profile {
  if (env['CHECKSTAND_KEY']) {
    return {
      key: env['CHECKSTAND_KEY'],
      baseUrl: env['CHECKSTAND_URL'] ?? 'http://localhost:4242',
      instance: env['CHECKSTAND_INSTANCE'] ?? 'default',
    }
  }
  const { profiles } = readStored()
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  throw new UsageError(
    name === 'default'
      ? 'Sign in first: checkstand-client login https://pay.shop.example, or set CHECKSTAND_KEY'
      : `There is no profile ${name}: checkstand-client login --profile ${name}`,
  )
}

/** Returns the client of a profile, with a token that is valid for some minutes. */
export async function clientOf(name: string): Promise<Checkstand> {
  const profile = await readFreshProfile(name)
  const { baseUrl, instance, grant } = profile
  return new Checkstand(grant ? { baseUrl, instance, token: grant.token } : profile)
}

/** Returns what authorizes the next request of a profile, and where its API begins. */
export async function accessOf(name: string): Promise<{ root: URL; authorization: string }> {
  const { baseUrl, instance, key, grant } = await readFreshProfile(name)
  return grant
    ? { root: new URL('/c/api', baseUrl), authorization: `Bearer ${grant.token}` }
    : {
        root: new URL(`/c/api/instances/${encodeURIComponent(instance)}`, baseUrl),
        authorization: `Basic ${btoa(`${key}:`)}`,
      }
}

const LOCK_STALE_MS = 30_000

/**
 * Returns a profile whose token is valid for some minutes. One command at a time exchanges the refresh
 * token, which is replaced by that: a second exchange of the same one would end the sign-in.
 */
async function readFreshProfile(name: string): Promise<Profile> {
  const profile = readProfile(name)
  if (!profile.grant || !expiresSoon(profile.grant)) return profile
  const lock = `${profileFile()}.lock`
  while (!takeLock(lock)) await new Promise((resolve) => setTimeout(resolve, 50))
  try {
    const present = readProfile(name)
    if (!present.grant || !expiresSoon(present.grant)) return present
    const fresh = { ...present, grant: await refreshGrant(present.baseUrl, present.grant) }
    storeProfile(name, fresh)
    return fresh
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Returns whether this program has the lock now. One that was left behind is taken over. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, '', { flag: 'wx' })
    return true
  } catch {
    const { mtimeMs = Date.now() } = statSync(lock, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > LOCK_STALE_MS) rmSync(lock, { force: true })
    return false
  }
}
