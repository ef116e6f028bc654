import { EventEmitter } from 'node:events'

/**
 * Wakes the jobs of this process after it has committed an event, a delivery, a mail or the move of a test
 * clock. Only a hint: the jobs also poll for what other processes commit.
 */
export const jobSignals = new EventEmitter<{
  event: []
  delivery: []
  mail: []
  clock: []
}>().setMaxListeners(0)
