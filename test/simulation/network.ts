import type { Processor, ProcessorResponse } from '../../server/processors/port.ts'
import type { ApiResponse } from '../app.ts'
import type { Random } from '../random.ts'
import { eventLoopTurns } from './event-loop.ts'

/** What networks do to messages: between a client and us, and between us and the processor. */

/** How likely each mishap is; all of them are 0 once the faults stop. */
export interface FaultRates {
  lostRequest: number
  lostAnswer: number
  twice: number
  garbage: number
}

export const DEGRADED: FaultRates = {
  lostRequest: 0.08,
  lostAnswer: 0.12,
  twice: 0.06,
  garbage: 0.04,
}
export const NORMAL: FaultRates = { lostRequest: 0, lostAnswer: 0, twice: 0, garbage: 0 }

/** Whoever asked heard nothing, and knows nothing. */
export class NetworkError extends Error {
  constructor() {
    super('nothing was heard')
    this.name = 'Lost'
  }
}

const DELAY_TURNS = 6

export interface Network {
  faultRates: FaultRates
  /** Sends a client's request; what comes back may be nothing (Lost). */
  request: (send: () => Promise<ApiResponse>) => Promise<ApiResponse>
  /** The processor, at the end of such a network; `reached` tells whether there is still a caller. */
  wrapProcessor: (processor: Processor, reached: () => boolean) => Processor
}

export function newNetwork(random: Random): Network {
  const network: Network = {
    faultRates: DEGRADED,
    request: async (send) => through(send),
    wrapProcessor(processor, reached) {
      const asked =
        <O, A>(operate: (operation: O) => Promise<A>) =>
        (operation: O): Promise<A> =>
          through(async () => {
            if (!reached()) throw new NetworkError()
            const answer = await operate(operation)
            return random.chance(network.faultRates.garbage) ? (GARBAGE as A) : answer
          })
      return {
        ...processor,
        pay: asked((order) => processor.pay(order)),
        authorise: asked((order) => processor.authorise(order)),
        capture: asked((order) => processor.capture(order)),
        refund: asked((order) => processor.refund(order)),
        void: asked((order) => processor.void(order)),
        cancel: asked((key) => processor.cancel(key)),
        query: asked((key) => processor.query(key)),
      }
    },
  }
  return network

  /** One message there and one back. Each may be late, lost, or go twice. */
  async function through<A>(send: () => Promise<A>): Promise<A> {
    const { lostRequest, lostAnswer, twice } = network.faultRates
    await eventLoopTurns(random.between(0, DELAY_TURNS))
    if (random.chance(lostRequest)) throw new NetworkError()
    if (random.chance(twice)) {
      // The copy may come first, and nobody listens to what it is answered.
      send().catch(() => {})
      await eventLoopTurns(random.between(0, DELAY_TURNS))
    }
    const answer = await send()
    await eventLoopTurns(random.between(0, DELAY_TURNS))
    if (random.chance(lostAnswer)) throw new NetworkError()
    return answer
  }
}

/** What a broken gateway in between might say for the processor. */
const GARBAGE = { status: 'bad gateway' } as unknown as ProcessorResponse
