import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { Log } from '../observe/log.ts'
import { presetHeader } from './preset-header.ts'

declare module 'hono' {
  interface ContextVariableMap {
    requestId: string
  }
}

/** A finished request. */
export interface MeasuredRequest {
  method: string
  /** The pattern of the route, because a path may contain the secret id of a link. */
  route: string
  status: number
  seconds: number
}

/** Sets the id of each request, logs one line, and calls `count` with the result. */
export function watchRequests(log: Log, count: ((request: MeasuredRequest) => void) | undefined) {
  return async function watchRequest(c: Context, next: () => Promise<void>) {
    const started = performance.now()
    const request = randomUUID()
    c.set('requestId', request)
    presetHeader(c, 'X-Request-Id', request)
    await next()
    const ms = Math.round((performance.now() - started) * 10) / 10
    const { method, routePath: route } = c.req
    const { status } = c.res
    log.info({ method, route, status, ms, request }, 'request')
    count?.({ method, route, status, seconds: ms / 1000 })
  }
}
