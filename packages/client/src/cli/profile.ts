import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Checkstand } from '../index.ts'
import { UsageError } from './usage.ts'

/** Where commands call, and as whom. */
export interface Profile {
  baseUrl: string
  instance: string
  key: string
}

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

/** Stores a profile, or removes it when there is none. Returns whether there was one. */
export function storeProfile(name: string, profile: Profile | undefined): boolean {
  const stored = readStored()
  const had = Object.hasOwn(stored.profiles, name)
  if (profile) stored.profiles[name] = profile
  else delete stored.profiles[name]
  const file = profileFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  // The mode above is for a new file.
  chmodSync(file, 0o600)
  return had
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

export const clientOf = (profile: Profile): Checkstand => new Checkstand(profile)
