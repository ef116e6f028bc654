import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Checks values against schemas of an OpenAPI document, by where these stand in it. */
export interface Validators {
  /** What is wrong with a value; undefined when nothing is. `at` leads to a schema in the document. */
  problemOf: (at: readonly string[], value: unknown) => string | undefined
  /** The same for a header or parameter, which is text on the wire. */
  textProblemOf: (at: readonly string[], text: string) => string | undefined
}

/**
 * Compiles each schema when it is first needed. `document` is changed first so that objects may have
 * no members but those that it describes: clients accept more, and our own tests do not.
 */
export function createValidators(document: object): Validators {
  const closed = close(document) as object
  const bodies = ajvOf(closed, false)
  const texts = ajvOf(closed, true)
  const problem = (ajv: Ajv2020, at: readonly string[], value: unknown) => {
    const validate = ajv.getSchema(`${ROOT}#${at.map((step) => `/${pointerStep(step)}`).join('')}`)
    if (!validate) throw new Error(`the document has no schema at ${at.join(' ')}`)
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: '' })
  }
  return {
    problemOf: (at, value) => problem(bodies, at, value),
    textProblemOf: (at, text) => problem(texts, at, text),
  }
}

const ROOT = 'https://checkstand.invalid/openapi.json'

function ajvOf(document: object, coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    coerceTypes,
    // Compiles each component once, and quickly: few values are checked by each.
    inlineRefs: false,
    code: { optimize: false },
  })
  addFormats.default(ajv)
  // The document itself is the root that its references start from.
  ajv.addVocabulary(Object.keys(document))
  return ajv.addSchema(document, ROOT)
}

function pointerStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, close(each)]),
  )
  const isObjectSchema = members['type'] === 'object' && typeof members['properties'] === 'object'
  return isObjectSchema ? { additionalProperties: false, ...members } : members
}
