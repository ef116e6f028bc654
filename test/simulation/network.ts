import type { Processor, ProcessorResponse } from '../../server/processors/port.ts'
import type { ApiResponse } from '../app.ts'
import type { Random } from '../random.ts'
import { wrapOperations } from '../wrap-operations.ts'
import { eventLoopTurns } from './event-loop.ts'

/** A network that loses, delays and duplicates messages: of clients, and to the processor. */

/** Probabilities of each fault. */
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

/** A request without a response: whether it was processed is unknown. */
export class NetworkError extends Error {
  constructor() {
    super('no response')
    this.name = 'Lost'
  }
}

const DELAY_TURNS = 6

export interface Network {
  faultRates: FaultRates
  /** Sends a client's request. Throws NetworkError when request or response is lost. */
  request: (send: () => Promise<ApiResponse>) => Promise<ApiResponse>
  /** Returns the processor behind the network. `reached` is false after the caller crashed. */
  wrapProcessor: (processor: Processor, reached: () => boolean) => Processor
}

export function newNetwork(random: Random): Network {
  const network: Network = {
    faultRates: DEGRADED,
    request: async (send) => through(send),
    wrapProcessor: (processor, reached) =>
      wrapOperations(
        processor,
        <Asked, Answered>(_name: string, operate: (asked: Asked) => Promise<Answered>) =>
          (asked: Asked) =>
            through(async () => {
              if (!reached()) throw new NetworkError()
              const response = await operate(asked)
              return random.chance(network.faultRates.garbage) ? (GARBAGE as Answered) : response
            }),
      ),
  }
  return network

  /** Sends a request and its response; each can be delayed, lost or duplicated. */
  async function through<A>(send: () => Promise<A>): Promise<A> {
    const { lostRequest, lostAnswer, twice } = network.faultRates
    await eventLoopTurns(random.between(0, DELAY_TURNS))
    if (random.chance(lostRequest)) throw new NetworkError()
    if (random.chance(twice)) {
      // The duplicate may arrive first. Its response is dropped.
      send().catch(() => {})
      await eventLoopTurns(random.between(0, DELAY_TURNS))
    }
    const response = await send()
    await eventLoopTurns(random.between(0, DELAY_TURNS))
    if (random.chance(lostAnswer)) throw new NetworkError()
    return response
  }
}

/** The response of a broken gateway in front of the processor. */
const GARBAGE = { status: 'bad gateway' } as unknown as ProcessorResponse
