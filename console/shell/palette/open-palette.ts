import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isLetter } from '../shortcuts.ts'

/** Whether the search is open. */
export const paletteOpen = signal(false)

/** Ctrl+K or ⌘K open the search everywhere, `/` where no list has a search box of its own. */
export function usePaletteKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      const isSlash = event.key === '/' && isLetter(event) && !hasSearchBox()
      if (!(isSlash || (isChord && event.key.toLowerCase() === 'k'))) return
      // A dialog has to be finished first.
      if (!paletteOpen.value && document.querySelector('dialog[open]')) return
      event.preventDefault()
      paletteOpen.value = isSlash || !paletteOpen.value
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

const hasSearchBox = () => document.querySelector('[role=search] input') !== null
