import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useInstance } from '../address.ts'
import { otherModePath } from './other-mode.ts'
import { SECTIONS } from './sections.ts'

const CHORD_MS = 1200
const OFF = 'cs.shortcuts'

/** Whether single letters act as shortcuts; people who dictate switch them off (WCAG 2.1.4). */
export const lettersAct = (): boolean => localStorage.getItem(OFF) !== 'off'

export function setLettersAct(on: boolean): void {
  localStorage.setItem(OFF, on ? 'on' : 'off')
}

/** Returns whether a key press belongs to a field, a menu or a dialog. */
export function isTyping({ target }: Event): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], dialog, [role=menu]') !== null
  )
}

/** Returns whether a press is a letter alone that may act. */
export function isLetter(event: KeyboardEvent): boolean {
  return !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) && lettersAct()
}

/** One record has letters of its own, and is not in the other mode. */
const isRecord = (path: string) => path.split('/').length > 4

/** Whether the list of shortcuts is open. */
export const shortcutsOpen = signal(false)

/** `G` and a letter open a section, `N` a new link, `T` the other mode, and `?` the list of shortcuts. */
export function useShortcuts(): void {
  const { route, path } = useLocation()
  const instance = useInstance()
  useEffect(() => {
    let chordAt = 0
    const press = (event: KeyboardEvent) => {
      if (!isLetter(event)) return
      const letter = event.key.toUpperCase()
      const section = SECTIONS.flatMap(({ sections }) => sections).find(({ key }) => key === letter)
      if (section && Date.now() - chordAt < CHORD_MS) {
        event.preventDefault()
        route(instance.screen(section.path && `/${section.path}`))
      } else if (letter === 'N') {
        event.preventDefault()
        route(instance.screen('/links/new'))
      } else if (letter === 'T' && !isRecord(path)) {
        const other = otherModePath(instance, path)
        if (other === undefined) return
        event.preventDefault()
        route(other)
      } else if (letter === '?') {
        event.preventDefault()
        shortcutsOpen.value = true
      }
      chordAt = letter === 'G' ? Date.now() : 0
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [instance.key, route, path])
}
