import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { Log } from '../observe/log.ts'

declare module 'hono' {
  interface ContextVariableMap {
    requestId: string
  }
}

/** A request that was answered. */
export interface MeasuredRequest {
  method: string
  /** The pattern of the route: a path may hold a link's secret id. */
  route: string
  status: number
  seconds: number
}

/** Gives each request an id, one line in the log, and `count` what it took. */
export function watchRequests(log: Log, count: ((request: MeasuredRequest) => void) | undefined) {
  return async function watchRequest(c: Context, next: () => Promise<void>) {
    const started = performance.now()
    const request = randomUUID()
    c.set('requestId', request)
    await next()
    // On the answer itself: the framework's own way would make another one of it.
    c.res.headers.set('X-Request-Id', request)
    const ms = Math.round((performance.now() - started) * 10) / 10
    const { method, routePath: route } = c.req
    const { status } = c.res
    log.info({ method, route, status, ms, request }, 'request')
    count?.({ method, route, status, seconds: ms / 1000 })
  }
}
