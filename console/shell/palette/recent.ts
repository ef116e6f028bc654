import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'

/** Records that were opened last, kept until the tab is closed: they name customers. */
export interface Recent {
  href: string
  title: string
}

const RECENT = 'cs.recent'
const MAX = 6
/** The title of a record is there once it has arrived. */
const SETTLED_MS = 1200

const RECORD =
  /^\/console\/[^/]+\/(payments|links|links\/deep|customers|charges|contracts)\/\w+_\w+/

/** Remembers the record whose screen is open. */
export function useRecent(): void {
  const { path } = useLocation()
  useEffect(() => {
    if (!RECORD.test(path)) return undefined
    const timer = setTimeout(() => {
      const title = document.getElementById('screen-title')?.textContent
      if (title) remember({ href: path.replace(/\/edit$/, ''), title })
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [path])
}

/** Returns what was opened last in an instance, the newest first. */
export function recentIn(screen: (path: string) => string): Recent[] {
  return readAll().filter(({ href }) => href.startsWith(screen('/')))
}

export function remember(recent: Recent): void {
  const others = readAll().filter(({ href }) => href !== recent.href)
  sessionStorage.setItem(RECENT, JSON.stringify([recent, ...others].slice(0, MAX)))
}

function readAll(): Recent[] {
  try {
    return JSON.parse(sessionStorage.getItem(RECENT) ?? '[]') as Recent[]
  } catch {
    return []
  }
}
