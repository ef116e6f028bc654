import fc from 'fast-check'
import { z } from 'zod'

/** Values as the schema of a route describes them, for requests that mean to be right. */

type Schema = z.core.JSONSchema.BaseSchema

/** Arbitrary values of a schema; `words` are texts that some record goes by. */
export function arbitraryOf(schema: z.ZodType, words: readonly string[]): fc.Arbitrary<unknown> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' })
  return build(root)

  function build(node: Schema | boolean): fc.Arbitrary<unknown> {
    if (typeof node === 'boolean') return fc.jsonValue({ maxDepth: 2 })
    const written = plain(node)
    return node.examples?.length ? fc.oneof(written, fc.constantFrom(...node.examples)) : written
  }

  function plain(node: Schema): fc.Arbitrary<unknown> {
    if (node.$ref !== undefined) return fc.jsonValue({ maxDepth: 2 })
    if (node.const !== undefined) return fc.constant(node.const)
    if (node.enum) return fc.constantFrom(...node.enum)
    const branches = node.anyOf ?? node.oneOf ?? node.allOf
    if (branches) return fc.oneof(...branches.map(build))
    switch (node.type) {
      case 'object':
        return object(node)
      case 'array':
        return fc.array(items(node), {
          minLength: node.minItems ?? 0,
          maxLength: Math.min(node.maxItems ?? 4, 4),
        })
      case 'string':
        return text(node)
      case 'integer':
        return fc.integer({
          min: Math.max(node.minimum ?? -10, -(2 ** 31)),
          max: Math.min(node.maximum ?? 10_000, 2 ** 31),
        })
      case 'number':
        return fc.double({ min: node.minimum ?? -1e9, max: node.maximum ?? 1e9, noNaN: true })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return fc.jsonValue({ maxDepth: 3 })
    }
  }

  function object({ properties = {}, required = [], additionalProperties }: Schema) {
    const members = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, build(member)]),
    )
    const declared = fc.record(members, { requiredKeys: required })
    if (typeof additionalProperties !== 'object') return declared
    const free = fc.dictionary(fc.string(), build(additionalProperties), { maxKeys: 3 })
    return fc.tuple(free, declared).map(([own, given]) => ({ ...own, ...given }))
  }

  function items({ items: each }: Schema): fc.Arbitrary<unknown> {
    return each === undefined || Array.isArray(each) ? fc.jsonValue() : build(each)
  }

  function text({ pattern, format, minLength = 0, maxLength = 40 }: Schema) {
    const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }
    const free = fc.oneof(
      fc.string(lengths),
      fc.string({ unit: 'grapheme', ...lengths }),
      fc.constantFrom(...words),
    )
    if (format === 'date-time') return fc.oneof(instants, free)
    if (format === 'email') return fc.oneof(fc.emailAddress(), free)
    if (format === 'uri') return fc.oneof(fc.webUrl(), free)
    return pattern === undefined ? free : fc.oneof(fc.stringMatching(new RegExp(pattern)), free)
  }
}

const instants = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
