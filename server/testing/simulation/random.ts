import fc from 'fast-check'

/** Everything that is left to chance in a simulation, out of one seed. */
export interface Random {
  /** True with this probability. */
  chance: (probability: number) => boolean
  /** A whole number from 0 up to below `end`. */
  below: (end: number) => number
  pick: <T>(of: readonly T[]) => T
}

const STEPS = 2 ** 30

export function newRandom(seed: number): Random {
  const endless = fc.infiniteStream(fc.noBias(fc.nat(STEPS - 1)))
  const [numbers] = fc.sample(endless, { seed, numRuns: 1 }) as [fc.Stream<number>]
  const next = () => (numbers.next().value as number) / STEPS
  const below = (end: number) => Math.floor(next() * end)
  return {
    chance: (probability) => next() < probability,
    below,
    pick: (of) => of[below(of.length)] as (typeof of)[number],
  }
}

/** Lets everything that can go on go on, this many times. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}
