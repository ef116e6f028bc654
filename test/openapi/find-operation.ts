interface Server {
  url: string
}

/** The parts of an operation of an OpenAPI document that exchanges are checked against. */
export interface Operation {
  operationId: string
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { required: boolean; content: Record<string, unknown> }
  responses: Record<string, Response | { $ref: string }>
}

export interface Response {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, unknown>
}

export interface Document {
  servers: Server[]
  paths: Record<string, Record<string, Operation> & { servers?: Server[] }>
  webhooks: Record<string, unknown>
  components: {
    responses: Record<string, Response>
    headers: Record<string, { required?: boolean }>
  }
}

export interface Found {
  /** The path as the document writes it. */
  path: string
  method: string
  operation: Operation
  /** Whether the operation has this method; if not, it is another one of the same path. */
  isOfMethod: boolean
}

/** Returns what finds the operation that answers a path, without its query, and a method. */
export function createFinder(document: Document) {
  const patterns = Object.entries(document.paths).flatMap(([path, item]) =>
    (item.servers ?? document.servers).map(({ url }) => {
      const whole = url.replace(/^https?:\/\/[^/]+/, '').replace(/\/$/, '') + path
      return {
        path,
        item,
        // Of two that match, the one with fewer variables is meant.
        variables: path.split('{').length,
        segments: whole.split('/').length,
        pattern: patternOf(whole),
      }
    }),
  )
  // No variable spans segments.
  const bySegments = Map.groupBy(patterns, ({ segments }) => segments)
  return (method: string, path: string): Found | undefined => {
    const [match] = (bySegments.get(path.split('/').length) ?? [])
      .filter(({ pattern }) => pattern.test(path))
      .toSorted((a, b) => a.variables - b.variables)
    if (!match) return undefined
    const requested = method === 'HEAD' ? 'get' : method.toLowerCase()
    const methods = Object.keys(match.item).filter((name) => name !== 'servers')
    const isOfMethod = methods.includes(requested)
    const used = isOfMethod ? requested : (methods[0] as string)
    return {
      path: match.path,
      method: used,
      operation: match.item[used] as Operation,
      isOfMethod,
    }
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
