import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

const notes = signal<Readonly<Record<string, string>>>({})

/** Returns what each sentence is for, by its id without a plural form; nothing before that is loaded. */
export function useNotes(): Readonly<Record<string, string>> {
  useEffect(() => {
    void import('../../../locales/notes/en.json').then((file) => {
      notes.value = file.default
    })
  }, [])
  return notes.value
}
