import { EventEmitter } from 'node:events'

/**
 * Wakes the jobs of this process after it has committed an event, a delivery or the move of a test
 * clock. Only a hint: the jobs also poll for what other processes commit.
 */
export const jobSignals = new EventEmitter<{
  event: []
  delivery: []
  clock: []
}>().setMaxListeners(0)
