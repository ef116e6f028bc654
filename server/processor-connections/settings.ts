import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { validationMessage } from '../http/validation-message.ts'
import { adapterOf } from '../processors/adapters.ts'

type Settings = Record<string, unknown>

/** Returns the settings of a connection with the default of every one that is not stored. */
export function parseStoredSettings(row: { name: string; settings: string }): Settings {
  return { ...adapterOf(row.name).settings.parse(JSON.parse(row.settings)) }
}

/**
 * Returns the settings of an adapter after a change: a member that is not named stays, and null
 * restores the default. Throws a 400 ApiError that names the member with dots.
 */
export function changeSettings(name: string, stored: Settings, change: Settings): Settings {
  const { settings } = adapterOf(name)
  const next = Object.fromEntries(
    Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null),
  )
  const body = z.object({ processor: z.object({ settings }) })
  const parsed = body.safeParse({ processor: { settings: next } })
  if (!parsed.success) throw new ApiError('INVALID_REQUEST', validationMessage(parsed.error))
  return { ...parsed.data.processor.settings }
}
