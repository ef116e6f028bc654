import type { RequestListener } from 'node:http'

const RETRY_SECONDS = 1
/** Probes are answered all the same: a balancer that gets none takes the process for dead. */
const PROBES = new Set(['/livez', '/readyz'])

const BODY = JSON.stringify({
  error: { type: 'UNAVAILABLE', message: 'Too much is asked at once; try again in a moment' },
})

/**
 * Refuses requests beyond `max` under way at once (0 is no limit), before anything is done for
 * them. Those that are under way are answered in their time; without an end to the queue everybody
 * would wait until nobody waits any more, and all the work would be for nobody.
 */
export function limitInFlight(max: number, listener: RequestListener): RequestListener {
  if (max === 0) return listener
  let inFlight = 0
  return (request, response) => {
    if (inFlight >= max && !PROBES.has(request.url ?? '')) {
      response.writeHead(503, {
        'content-type': 'application/json',
        'retry-after': String(RETRY_SECONDS),
        'cache-control': 'no-store',
      })
      response.end(BODY)
      // What is still being sent of it is not waited for.
      request.resume()
      return
    }
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
    })
    listener(request, response)
  }
}
