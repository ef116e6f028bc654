import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { operationsOf, readDocument, type Schema } from './document.ts'

const document = readDocument()
const ROOT = 'https://checkstand.invalid/openapi.json'

interface Member {
  at: string
  schema: Schema
}

/** Returns the members of every object that a schema has in itself, down to its references. */
function membersIn(schema: Schema | undefined, at: string): Member[] {
  if (!schema) return []
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      { at: `${at}.${name}`, schema: member },
      ...membersIn(member, `${at}.${name}`),
    ]),
    ...membersIn(items, `${at}[]`),
    ...membersIn(rest, `${at}.*`),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => membersIn(each, at)),
  ]
}

const components = Object.entries(document.components.schemas)
const bodies = operationsOf(document).flatMap(({ operation }) =>
  [operation.requestBody, ...Object.values(operation.responses)].flatMap((message) =>
    Object.values(message?.content ?? {}).map(({ schema }): Member => ({
      at: operation.operationId,
      schema: schema ?? {},
    })),
  ),
)
const members = [...components.map(([at, schema]) => ({ at, schema })), ...bodies].flatMap(
  ({ at, schema }) => membersIn(schema, at),
)

/** The description of a member is its own, or that of the component it refers to. */
function descriptionOf({ $ref, description }: Schema): string | undefined {
  if (description !== undefined || $ref === undefined) return description
  return document.components.schemas[$ref.split('/').at(-1) as string]?.description
}

describe('the interface description', () => {
  it('describes each of its schemas in a sentence', () => {
    const silent = components.filter(([, { description }]) => !description?.endsWith('.'))
    expect(silent.map(([name]) => name)).toEqual([])
  })

  it('describes every member of every request and response', () => {
    expect(members.length).toBeGreaterThan(600)
    const silent = members.filter(({ schema }) => !/\w.*\.$/.test(descriptionOf(schema) ?? ''))
    expect(silent.map(({ at }) => at)).toEqual([])
  })

  it('gives examples that their own schemas allow', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(document, ROOT)
    const examples = members.flatMap(({ at, schema }) =>
      (schema.examples ?? []).map((example) => ({ at, schema, example })),
    )
    expect(examples.length).toBeGreaterThan(200)
    const wrong = examples.filter(({ schema, example }) => {
      const absolute = JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${ROOT}#`)
      return !ajv.validate(JSON.parse(absolute), example)
    })
    expect(wrong.map(({ at, example }) => `${at}: ${JSON.stringify(example)}`)).toEqual([])
  })
})
