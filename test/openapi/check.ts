import { createFinder, type Document, type Found, type Response } from './find-operation.ts'
import { createValidators, type Validators } from './validators.ts'

/** A request and its answer, as they were on the wire. */
export interface Exchange {
  method: string
  /** With the query. */
  path: string
  requestHeaders: Headers
  /** undefined for none, or for one that cannot be read again. */
  requestBody: string | undefined
  status: number
  headers: Headers
  text: string
}

/** What is wrong with an exchange by the OpenAPI document; undefined when nothing is. */
export type Check = (exchange: Exchange) => string | undefined

/**
 * What the document leaves out: built files, reports of browsers, and what the scripts of sign-in and
 * console exchange about how a person signs in (D294).
 */
const UNDESCRIBED =
  /^\/(assets\/|widget(\.|\/)|csp$|sign-in\/passkey|console\/(factors|password|step_up)(\/|$))/

/** Headers that have a meaning for clients: each that is sent must be documented. */
const TELLING = ['Allow', 'Idempotent-Replayed', 'Location', 'Retry-After', 'WWW-Authenticate']

/**
 * Returns a check of exchanges against an OpenAPI document, as a server answers it: that the status,
 * the headers and the body of the answer are described, and so is the request, if it succeeded.
 */
export function createCheck(served: object): Check {
  const document = served as Document
  const validators = createValidators(document)
  const find = createFinder(document)
  return (exchange) => {
    const [path = ''] = exchange.path.split('?')
    const found = find(exchange.method, path)
    if (!found) {
      const isFine = exchange.status >= 400 || UNDESCRIBED.test(path)
      return isFine ? undefined : `no operation is described for ${exchange.method} ${path}`
    }
    const problem = problemsOf(document, validators, found, exchange).find((each) => each)
    return problem && `${found.operation.operationId} (${exchange.status}): ${problem}`
  }
}

function problemsOf(
  document: Document,
  validators: Validators,
  found: Found,
  exchange: Exchange,
): (string | undefined)[] {
  const { status } = exchange
  if (!found.isOfMethod && status < 400) return ['the method is not described']
  const documented = found.operation.responses[status]
  // A path that has no 405 is, for other methods, no path.
  if (!documented) return !found.isOfMethod && status === 404 ? [] : ['the status is not described']
  const name = '$ref' in documented ? (documented.$ref.split('/').at(-1) as string) : undefined
  const at = name
    ? ['components', 'responses', name]
    : ['paths', found.path, found.method, 'responses', String(status)]
  const response = name
    ? (document.components.responses[name] as Response)
    : (documented as Response)
  return [
    headerProblem(document, validators, response, exchange),
    contentProblem(validators, { at, response }, exchange),
    eventProblem(document, validators, exchange),
    ...(status < 300 && found.isOfMethod ? requestProblems(validators, found, exchange) : []),
  ]
}

function headerProblem(
  { components }: Document,
  validators: Validators,
  response: Response,
  { headers }: Exchange,
): string | undefined {
  const described = Object.keys(response.headers ?? {})
  const extra = TELLING.find((name) => headers.has(name) && !described.includes(name))
  if (extra !== undefined) return `the header ${extra} is not described`
  for (const name of described) {
    const value = headers.get(name)
    if (value === null && components.headers[name]?.required) return `the header ${name} is missing`
    const problem =
      value !== null && validators.textProblemOf(['components', 'headers', name, 'schema'], value)
    if (problem) return `the header ${name}${problem}`
  }
  return undefined
}

function contentProblem(
  validators: Validators,
  { at, response }: { at: readonly string[]; response: Response },
  { method, headers, text }: Exchange,
): string | undefined {
  const types = Object.keys(response.content ?? {})
  if (types.length === 0 || method === 'HEAD') return text === '' ? undefined : 'there is a body'
  const type = headers.get('content-type')?.split(';')[0] ?? 'none'
  if (!types.includes(type)) return `the type of the body is ${type}`
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text
  const problem = validators.problemOf([...at, 'content', type, 'schema'], value)
  return problem && `${problem}: ${text}`
}

/** Every event has the shape that the webhooks of the document give to its type. */
function eventProblem(
  { webhooks }: Document,
  validators: Validators,
  { headers, status, text }: Exchange,
): string | undefined {
  if (status !== 200 || !headers.get('content-type')?.startsWith('application/json'))
    return undefined
  const body = JSON.parse(text) as { event?: { type: string }; events?: { type: string }[] }
  for (const event of [body.event, ...(body.events ?? [])]) {
    if (!event) continue
    if (!Object.hasOwn(webhooks, event.type)) return `no webhook is described for ${event.type}`
    const problem = validators.problemOf(webhookBody(event.type), { event })
    if (problem) return `the event ${event.type}: ${problem}: ${JSON.stringify(event)}`
  }
  return undefined
}

/** Where the schema of the body of a webhook stands. */
export function webhookBody(type: string): string[] {
  return ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema']
}

function requestProblems(
  validators: Validators,
  { path, method, operation }: Found,
  exchange: Exchange,
): (string | undefined)[] {
  const at = ['paths', path, method]
  const query = new URLSearchParams(exchange.path.split('?')[1])
  const parameters = (operation.parameters ?? []).map(({ name, in: where, required }, index) => {
    const value = where === 'query' ? query.get(name) : exchange.requestHeaders.get(name)
    if (where === 'path') return undefined
    if (value === null) return required ? `the ${where} parameter ${name} is missing` : undefined
    const schema = [...at, 'parameters', String(index), 'schema']
    const problem = validators.textProblemOf(schema, value)
    return problem && `the request’s ${name}${problem}: ${value}`
  })
  return [...parameters, requestBodyProblem(validators, at, operation, exchange)]
}

function requestBodyProblem(
  validators: Validators,
  at: readonly string[],
  { requestBody }: Found['operation'],
  { requestHeaders, requestBody: text }: Exchange,
): string | undefined {
  if (!requestBody || text === undefined) return undefined
  if (text === '') return requestBody.required ? 'the request’s body is missing' : undefined
  const type = requestHeaders.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'none'
  if (!Object.hasOwn(requestBody.content, type)) return `the type of the request’s body is ${type}`
  const value: unknown =
    type === 'application/json' ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
  const problem = validators.problemOf([...at, 'requestBody', 'content', type, 'schema'], value)
  return problem && `the request’s body${problem}: ${text}`
}
