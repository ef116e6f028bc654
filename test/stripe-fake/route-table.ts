import { ApiFailure } from './api-failure.ts'
import type { FormBody } from './form.ts'

export interface Call {
  path: Record<string, string>
  query: URLSearchParams
  body: FormBody
}

export type Handler = (call: Call) => object

export interface FoundRoute {
  template: string
  path: Record<string, string>
  handler: Handler
}

export type RouteTable = readonly (readonly [method: string, template: string, handler: Handler])[]

/** Returns the route of a request with what its path names. */
export function findRoute(
  routes: RouteTable,
  method: string,
  path: string,
): FoundRoute | undefined {
  for (const [verb, template, handler] of routes) {
    const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const found = verb === method ? pattern.exec(path) : null
    if (found) return { template, handler, path: { ...found.groups } }
  }
  return undefined
}

/** Returns the answer of a route, also of one that refuses. */
export function run(
  { handler, path }: FoundRoute,
  call: Omit<Call, 'path'>,
): { status: number; text: string } {
  try {
    return { status: 200, text: JSON.stringify(handler({ ...call, path })) }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return { status: error.status, text: JSON.stringify({ error: error.error }) }
  }
}
