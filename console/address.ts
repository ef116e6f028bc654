import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ConsoleInstance } from '../shared/console-boot.ts'
import { apiPath } from './api/request.ts'
import { preferences } from './preferences.ts'

/** The instance that the address names. */
const Current = createContext<ConsoleInstance | undefined>(undefined)

export const CurrentInstance = Current.Provider

export interface InstanceAddress extends ConsoleInstance {
  /** In which times are shown: the user's choice, or that of the instance; null for the browser's. */
  timezone: string | null
  /** Returns the address of a screen, such as `/links`. */
  screen: (path: string) => string
  /** Returns the absolute path of a request, such as `/payment_links`. */
  api: (path: string) => string
}

/** Returns the instance of the screen. Throws an Error outside of one. */
export function useInstance(): InstanceAddress {
  const instance = useContext(Current)
  if (!instance) throw new Error('useInstance must be called below an instance')
  return {
    ...instance,
    timezone: preferences.value.timezone ?? instance.timezone,
    screen: (path) => screenPath(instance.key, path),
    api: (path) => apiPath(instance.key, path),
  }
}

export const screenPath = (instance: string, path: string): string =>
  `/console/${encodeURIComponent(instance)}${path}`
