import type { Simulation } from './client-memory.ts'
import type { SimulatedCard } from './processor.ts'

/** The cards and amounts of a simulation. */

const KINDS = [
  ...(['approve', 'approve', 'decline', 'taken', 'lost', 'succeeds', 'fails'] as const),
  ...(['refund succeeds', 'refund fails', 'capture succeeds', 'capture fails'] as const),
]
export const PAYER_KINDS = [...KINDS, 'challenge', 'challenge', 'challenge'] as const

export const newToken = (simulation: Simulation, kinds: readonly SimulatedCard[] = KINDS) =>
  simulation.processor.newToken(simulation, simulation.random.pick(kinds))

export const AMOUNTS = ['1.00', '9.99', '100.00'] as const
