/** Keeps the token of a session over a reload, by the path at which it was opened. */
export interface TokenStore {
  read(link: string): string | null
  write(link: string, token: string | null): void
}

/** Uses `sessionStorage`, and memory where storage is blocked, as it may be in a frame. */
export function createTokenStore(storage: () => Storage): TokenStore {
  const memory = new Map<string, string>()
  const key = (link: string) => `checkstand.${link}`
  return {
    read(link) {
      try {
        return storage().getItem(key(link)) ?? memory.get(link) ?? null
      } catch {
        return memory.get(link) ?? null
      }
    },
    write(link, token) {
      if (token === null) memory.delete(link)
      else memory.set(link, token)
      try {
        if (token === null) storage().removeItem(key(link))
        else storage().setItem(key(link), token)
      } catch {
        // Storage is blocked or full, so the token lasts until a reload.
      }
    },
  }
}
