/** A pseudorandom generator: one seed always gives the same sequence. */
export interface Random {
  /** Returns true with this probability. */
  chance: (probability: number) => boolean
  /** A whole number from `from` up to and without `to`. */
  between: (from: number, to: number) => number
  pick: <T>(of: readonly T[]) => T
  uuid: () => string
  /** Returns an independent generator, whose sequence does not depend on the use of this one. */
  fork: (name: string) => Random
}

/** The generator is mulberry32: small, fast, and good enough to choose with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from))
  return {
    chance: (probability) => next() < probability,
    between,
    pick: (of) => of.at(between(0, of.length)) as (typeof of)[number],
    uuid: () => {
      const hex = Array.from({ length: 32 }, () => between(0, 16).toString(16)).join('')
      return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
    },
    fork(name) {
      let mixed = seed
      for (const letter of name) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193)
      return createRandom(mixed)
    },
  }
}
