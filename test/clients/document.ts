import { readFileSync } from 'node:fs'

/** The interface description that the documentation carries. */
export const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url)

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Content {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Operation {
  operationId: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { content?: Record<string, Content> }>
}

interface Server {
  url: string
}

export interface Document {
  servers: Server[]
  paths: Record<string, Record<string, Operation> & { servers?: Server[] }>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Returns the interface description. */
export function readDocument(): Document {
  return JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document
}

const METHODS = ['get', 'post', 'put', 'delete']

/** An operation with where the document has it; `path` is the type of an event for a webhook. */
export interface Placed {
  path: string
  method: string
  operation: Operation
}

/** Returns every operation of the document; those of `webhooks` too. */
export function operationsOf({ paths, webhooks }: Document): Placed[] {
  const items: [string, Record<string, Operation>][] = [
    ...Object.entries(paths),
    ...Object.entries(webhooks),
  ]
  return items.flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method, operation }] : []
    }),
  )
}
