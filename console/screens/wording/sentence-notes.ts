import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { online } from '../../shell/online.ts'

const notes = signal<Readonly<Record<string, string>>>({})

/** Returns what each sentence is for, by its id without a plural form; nothing before they are loaded, which waits for a connection. */
export function useNotes(): Readonly<Record<string, string>> {
  useEffect(() => {
    import('../../../locales/notes/en.json').then(
      (file) => {
        notes.value = file.default
      },
      () => {},
    )
  }, [online.value])
  return notes.value
}
