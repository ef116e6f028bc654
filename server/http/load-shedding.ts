import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { CountedNetwork } from '../rate-limits/client-network.ts'
import { HEALTH_PATHS } from './probes.ts'
import { hasBody } from './unread-body.ts'

const RETRY_SECONDS = 1

/** Bodies that one network may have on their way at once; one that comes in one piece never counts. */
const BODIES_PER_NETWORK = 100

export interface LoadLimits {
  /** Requests under way at once, and bodies on their way at once; 0 is no limit. */
  max: number
  /** Bodies on their way at once from one network. */
  bodiesPerNetwork?: number
  /** Returns the networks that a request is counted for, the narrowest first; none if it is not. */
  networksOf: (request: IncomingMessage) => readonly CountedNetwork[]
  /** Told of each request that is refused, and whose limit refused it. */
  refused: (limit: LoadLimit, network: string | undefined) => void
}

export type LoadLimit = 'requests' | 'bodies' | 'network-bodies'

export interface LoadGate {
  listener: RequestListener
  /** Whether a request would be refused, whoever sends it. */
  isFull: () => boolean
}

/**
 * Refuses requests beyond `max` under way at once, before anything is done for them. Those that are
 * under way are answered in their time; without an end to the queue everybody would wait, and all
 * the work would be for clients that have given up.
 *
 * A request is under way when its body has come: until then its sender decides how long it takes,
 * and would hold the place of somebody else with a few bytes. Bodies on their way have limits of
 * their own: beyond that of a network the next one is refused, and beyond that of all the oldest one
 * is cut off, so that a request which is sent at once is never turned away for those that are not.
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
      // By then a body that came in one piece with its headers is whole, and the connection is kept.
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

  /** The one that has been on its way for longest is most likely never to come whole. */
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

/** Answered all the same: a balancer that gets no answer takes the process for dead. */
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

/** The requests whose bodies have not come whole. */
function bodiesOnTheirWay() {
  const all = new Map<IncomingMessage, Networks>()
  const byNetwork = new Map<string, Map<IncomingMessage, Networks>>()

  return {
    /** How many there are, and perhaps some that have come by now. */
    count: () => all.size,
    /** How many there are. */
    look() {
      for (const [request, networks] of all) forgetWhenWhole(request, networks)
      return all.size
    },
    /** The one that began first. */
    oldest: (): IncomingMessage | undefined => all.keys().next().value,
    /** How many there are of one network. */
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
      // One that came in one piece with its headers is whole as soon as these are dealt with.
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
