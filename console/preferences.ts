import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Preferences } from '../shared/schemas/preferences.ts'
import { apiPath, request, RequestError } from './api/request.ts'
import { boot } from './boot.ts'

/** How the user has set up the console, on this device and on others. */
export const preferences = signal<Preferences>(boot.preferences)

/** Changes are sent one after the other, so that the last one wins. */
let sent: Promise<unknown> = Promise.resolve()

/** Shows a change at once and saves it. Throws a RequestError, and shows the former state, if that fails. */
async function savePreferences(change: Partial<Preferences>): Promise<void> {
  const before = preferences.peek()
  const [instance] = boot.instances
  preferences.value = { ...before, ...change }
  applyPreferences()
  if (!instance) return
  try {
    const path = apiPath(instance.key, '/preferences')
    const own = sent.then(() => request('PUT', path, { body: { preferences: change } }))
    sent = own.catch(() => {})
    await own
  } catch (error) {
    preferences.value = before
    applyPreferences()
    throw error
  }
}

/** Returns what saves changes of the preferences, and the error of the last one. */
export function useSavePreferences() {
  const [error, setError] = useState<RequestError>()
  return {
    error,
    /** Resolves with whether the change was saved. */
    async save(change: Partial<Preferences>): Promise<boolean> {
      setError(undefined)
      try {
        await savePreferences(change)
        return true
      } catch (thrown) {
        if (!(thrown instanceof RequestError)) throw thrown
        setError(thrown)
        return false
      }
    },
  }
}

/** Puts the preferences into the document, where the style sheets find them. */
export function applyPreferences(): void {
  const { theme, density } = preferences.peek()
  document.documentElement.dataset['theme'] = theme
  document.documentElement.dataset['density'] = density
}
