import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { CountedNetwork } from '../rate-limits/client-network.ts'
import { HEALTH_PATHS } from './probes.ts'
import { hasBody } from './unread-body.ts'

const RETRY_SECONDS = 1

/** Incomplete bodies of one network. A body that arrives with its headers is never counted. */
const BODIES_PER_NETWORK = 100

export interface LoadLimits {
  /** Maximum requests in progress, and maximum incomplete bodies; 0 is no limit. */
  max: number
  /** Maximum incomplete bodies of one network. */
  bodiesPerNetwork?: number
  /**
   * Returns the networks that a request is counted for, narrowest first; none if it is not counted.
   */
  networksOf: (request: IncomingMessage) => readonly CountedNetwork[]
  /** Called for each rejected request with the limit that rejected it. */
  refused: (limit: LoadLimit, network: string | undefined) => void
}

export type LoadLimit = 'requests' | 'bodies' | 'network-bodies'

export interface LoadGate {
  listener: RequestListener
  /** Whether a request would be rejected, whatever its client. */
  isFull: () => boolean
}

/**
 * Rejects requests beyond `max` in progress before any work is done. With an unlimited queue every
 * client would wait and the work would be done for clients that have given up.
 *
 * A request counts as in progress once its body is complete, because until then its sender
 * determines its duration. Incomplete bodies have their own limits: beyond that of a network, the
 * next one is rejected; beyond that of all, the oldest one is aborted, so that a request that
 * arrives at once is never rejected because of slow ones.
 */
export function shedLoad(limits: LoadLimits, listener: RequestListener): LoadGate {
  const { max, bodiesPerNetwork = BODIES_PER_NETWORK, networksOf, refused } = limits
  const bodies = bodiesOnTheirWay()
  let open = 0
  const isBeyond = (count: number) => max > 0 && count >= max
  return {
    isFull: () => isBeyond(open - bodies.look()),
    listener: gate,
  }

  function gate(request: IncomingMessage, response: ServerResponse): void {
    const isSending = hasBody(request)
    if (!isSending && isProbe(request)) return listener(request, response)
    const networks = isSending ? networksOf(request) : []
    const limit = limitReached(isSending, networks)
    if (limit !== undefined) {
      refused(limit, networksOf(request)[0]?.network)
      // By then a body that came with its headers is complete, and the connection can be kept.
      setImmediate(() => refuse(response, limit))
      return
    }
    open += 1
    response.once('close', () => {
      open -= 1
    })
    if (isSending) {
      if (isBeyond(bodies.count()) && isBeyond(bodies.look())) cutOldest()
      bodies.add(request, response, networks)
    }
    listener(request, response)
  }

  /** The oldest body is the least likely to be completed. */
  function cutOldest(): void {
    const oldest = bodies.oldest()
    if (!oldest) return
    refused('bodies', networksOf(oldest)[0]?.network)
    oldest.socket.destroy()
  }

  function limitReached(
    isSending: boolean,
    networks: readonly CountedNetwork[],
  ): keyof typeof ANSWERS | undefined {
    if (isBeyond(open) && isBeyond(open - bodies.look())) return 'requests'
    if (!isSending) return undefined
    const isFull = networks.some(
      ({ network, share }) => bodies.countOf(network) >= bodiesPerNetwork * share,
    )
    return isFull ? 'network-bodies' : undefined
  }
}

/** Probes are always served, because a balancer treats no response as a dead process. */
function isProbe({ method, url }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && HEALTH_PATHS.has(url ?? '')
}

const ANSWERS: Record<
  Exclude<LoadLimit, 'bodies'>,
  { status: number; type: string; message: string }
> = {
  requests: {
    status: 503,
    type: 'UNAVAILABLE',
    message: 'Too much is asked at once; try again in a moment',
  },
  'network-bodies': {
    status: 429,
    type: 'TOO_MANY_REQUESTS',
    message: 'Too many requests of this address are still being sent; finish them first',
  },
}

function refuse(response: ServerResponse, limit: keyof typeof ANSWERS): void {
  const { status, ...error } = ANSWERS[limit]
  const body = JSON.stringify({ error })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'retry-after': String(RETRY_SECONDS),
    'cache-control': 'no-store',
  })
  response.end(body)
}

type Networks = readonly CountedNetwork[]

/** Requests with incomplete bodies. */
function bodiesOnTheirWay() {
  const all = new Map<IncomingMessage, Networks>()
  const byNetwork = new Map<string, Map<IncomingMessage, Networks>>()

  return {
    /** An upper bound: some may be complete by now. */
    count: () => all.size,
    look() {
      for (const [request, networks] of all) forgetWhenWhole(request, networks)
      return all.size
    },
    oldest: (): IncomingMessage | undefined => all.keys().next().value,
    countOf(network: string) {
      for (const [request, networks] of byNetwork.get(network) ?? []) {
        forgetWhenWhole(request, networks)
      }
      return byNetwork.get(network)?.size ?? 0
    },
    add(request: IncomingMessage, response: ServerResponse, networks: Networks) {
      all.set(request, networks)
      for (const { network } of networks) {
        byNetwork.set(network, (byNetwork.get(network) ?? new Map()).set(request, networks))
      }
      const done = () => forget(request, networks)
      request.once('end', done)
      response.once('close', done)
      // A body that came with its headers is complete once the headers are processed.
      setImmediate(() => forgetWhenWhole(request, networks))
    },
  }

  function forgetWhenWhole(request: IncomingMessage, networks: Networks): void {
    if (request.complete) forget(request, networks)
  }

  function forget(request: IncomingMessage, networks: Networks): void {
    all.delete(request)
    for (const { network } of networks) {
      const others = byNetwork.get(network)
      others?.delete(request)
      if (others?.size === 0) byNetwork.delete(network)
    }
  }
}
