import { type Document, type Operation, operationsOf, type Schema } from './document.ts'
import type { Request } from '../docs/curl-commands.ts'

/** A request as a generated client makes it: its parts by where they go. */
export interface Call {
  path: string
  method: string
  operation: Operation
  pathParameters: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, string>
  body: unknown
}

/**
 * Reads a request as a call of an operation of the document. Throws for one that no operation
 * answers.
 */
export function callOf(document: Document, request: Request): Call {
  const [pathname = '', search = ''] = request.path.split('?')
  for (const { path, method, operation } of operationsOf(document)) {
    if (method !== request.method.toLowerCase()) continue
    const servers = document.paths[path]?.servers ?? document.servers
    const match = servers
      .map(({ url }) => patternOf(url.replace(/^https?:\/\/[^/]+/, '').replace(/\/$/, ''), path))
      .map((pattern) => pattern.exec(pathname))
      .find((each) => each !== null)
    if (!match) continue
    const typed = (where: string, name: string, text: string) =>
      typedValue(
        operation.parameters?.find((each) => each.in === where && each.name === name),
        text,
      )
    const pathValues = Object.entries(match.groups ?? {})
    return {
      path,
      method,
      operation,
      pathParameters: Object.fromEntries(
        pathValues.map(([name, text]) => [name, typed('path', name, decodeURIComponent(text))]),
      ),
      query: Object.fromEntries(
        [...new URLSearchParams(search)].map(([name, text]) => [name, typed('query', name, text)]),
      ),
      headers: headersOf(operation, request.headers),
      body: request.body === undefined ? undefined : bodyOf(operation, request.body),
    }
  }
  throw new Error(`no operation is described for ${request.method} ${pathname}`)
}

/** Captures the variables of the path by their names. */
function patternOf(server: string, path: string): RegExp {
  const literal = (text: string) => text.replaceAll('.', '\\.')
  const prefix = literal(server).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${prefix}${literal(path).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

function typedValue(parameter: { schema: Schema } | undefined, text: string): unknown {
  return [parameter?.schema.type].flat().includes('integer') ? Number(text) : text
}

/** Clients send credentials and types by themselves; what the operation names is the caller's. */
function headersOf(operation: Operation, given: Record<string, string>): Record<string, string> {
  const headerParameters = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'header',
  )
  return Object.fromEntries(
    headerParameters.flatMap(({ name }) => {
      const value = given[name.toLowerCase()]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function bodyOf({ requestBody }: Operation, text: string): unknown {
  return requestBody?.content['application/json']
    ? JSON.parse(text)
    : Object.fromEntries(new URLSearchParams(text))
}
