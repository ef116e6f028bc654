import { z } from 'zod'

/** A JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>

export interface ConvertedSchemas {
  /** Schemas with an id, by name. */
  components: Record<string, JsonSchema>
  /** Returns the JSON Schema of a request. Throws for an unknown schema. */
  request: (schema: z.ZodType) => JsonSchema
  /** Returns the JSON Schema of a response. Throws for an unknown schema. */
  response: (schema: z.ZodType) => JsonSchema
}

/**
 * Converts zod schemas to JSON Schema. Requests are as strict as the server. Responses accept
 * unknown members, because later versions may add some; so a schema with an id that is used on both
 * sides becomes two components, `Name` and `NameInput`.
 */
export function convertSchemas(
  requests: readonly z.ZodType[],
  responses: readonly z.ZodType[],
): ConvertedSchemas {
  const received = convert(responses, 'output')
  const sent = convert(requests, 'input')
  const renamed = (name: string) => (Object.hasOwn(received.named, name) ? `${name}Input` : name)
  const tidyRequest = (schema: JsonSchema) => tidy(schema, { open: false, renamed })
  const tidyResponse = (schema: JsonSchema) => tidy(schema, { open: true, renamed: (name) => name })
  return {
    components: Object.fromEntries(
      [
        ...Object.entries(received.named).map(
          ([name, schema]) => [name, tidyResponse(schema)] as const,
        ),
        ...Object.entries(sent.named).map(
          ([name, schema]) => [renamed(name), withoutDefaults(tidyRequest(schema))] as const,
        ),
      ].toSorted(([a], [b]) => a.localeCompare(b, 'en')),
    ),
    request: (schema) => tidyRequest(found(sent.of, schema)),
    response: (schema) => tidyResponse(found(received.of, schema)),
  }
}

/**
 * Client generators treat a member with a default as always present, which holds for responses
 * only.
 */
function withoutDefaults({ properties, ...schema }: JsonSchema): JsonSchema {
  if (!properties) return schema
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    Object.fromEntries(Object.entries(member).filter(([keyword]) => keyword !== 'default')),
  ])
  return { ...schema, properties: Object.fromEntries(members) }
}

function found(of: ReadonlyMap<z.ZodType, JsonSchema>, schema: z.ZodType): JsonSchema {
  const converted = of.get(schema)
  if (!converted) throw new Error('this schema was not converted')
  return converted
}

/**
 * Converts all schemas at once, because each conversion walks through everything that a schema
 * refers to.
 */
function convert(schemas: readonly z.ZodType[], io: 'input' | 'output') {
  const distinct = [...new Set(schemas)]
  const all = z.object(Object.fromEntries(distinct.map((schema, at) => [`_${at}`, schema])))
  const { properties = {}, $defs = {} } = z.toJSONSchema(all, { io, unrepresentable: 'any' })
  return {
    named: $defs as Record<string, JsonSchema>,
    of: new Map(distinct.map((schema, at) => [schema, properties[`_${at}`] as JsonSchema])),
  }
}

interface Tidying {
  /** Whether objects accept unknown members. */
  open: boolean
  renamed: (component: string) => string
}

const IN_ONE = ['items', 'additionalProperties'] as const
const IN_LIST = ['anyOf', 'allOf', 'prefixItems'] as const

/** Simplifies a schema for readers, with references to the components of the document. */
function tidy(schema: JsonSchema, how: Tidying): JsonSchema {
  const { propertyNames: _names, example, $ref, properties, ...rest } = schema
  const tidied: JsonSchema = { ...rest }
  if (typeof $ref === 'string') {
    tidied['$ref'] = `#/components/schemas/${how.renamed($ref.replace('#/$defs/', ''))}`
  }
  if (properties) {
    tidied['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, tidy(member, how)]),
    )
  }
  if (example !== undefined) tidied['examples'] = [example]
  if (how.open && rest['additionalProperties'] === false) delete tidied['additionalProperties']
  // Drops the bounds of safe integers, which carry no information.
  if (rest['minimum'] === Number.MIN_SAFE_INTEGER) delete tidied['minimum']
  if (rest['maximum'] === Number.MAX_SAFE_INTEGER) delete tidied['maximum']
  for (const key of IN_ONE) {
    if (isSchema(tidied[key])) tidied[key] = tidy(tidied[key], how)
  }
  for (const key of IN_LIST) {
    if (Array.isArray(tidied[key])) tidied[key] = tidied[key].map((each) => tidy(each, how))
  }
  return withSimpleNull(tidied)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

/** Writes `null` beside a single type, and as one alternative elsewhere. */
function withSimpleNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...around } = schema
  if (!Array.isArray(anyOf)) return schema
  const alternatives = (anyOf as JsonSchema[]).flatMap((each) =>
    Object.keys(each).length === 1 && Array.isArray(each['anyOf']) ? each['anyOf'] : [each],
  ) as JsonSchema[]
  const [only, ...others] = alternatives.filter(({ type }) => type !== 'null')
  if (alternatives.length !== 2 || !only || others.length > 0 || only['type'] === undefined) {
    return { ...around, anyOf: alternatives }
  }
  const allowed = only['enum']
  return {
    ...only,
    ...around,
    type: [only['type'], 'null'].flat(),
    ...(Array.isArray(allowed) ? { enum: [...allowed, null] } : {}),
  }
}
