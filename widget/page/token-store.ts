/** Where a session's token waits for a reload. */
export interface TokenStore {
  read(link: string): string | null
  write(link: string, token: string | null): void
}

/**
 * Keeps the token in `sessionStorage`, and in memory where storage is blocked: an embedded page
 * in a strict browser then loses its session with a reload and nothing else (complaint U-4).
 */
export function createTokenStore(storage: () => Storage): TokenStore {
  const memory = new Map<string, string>()
  const name = (link: string) => `checkstand.${link}`
  return {
    read(link) {
      try {
        return storage().getItem(name(link)) ?? memory.get(link) ?? null
      } catch {
        return memory.get(link) ?? null
      }
    },
    write(link, token) {
      if (token === null) memory.delete(link)
      else memory.set(link, token)
      try {
        if (token === null) storage().removeItem(name(link))
        else storage().setItem(name(link), token)
      } catch {
        // Blocked or full; the copy in memory serves this page.
      }
    },
  }
}
