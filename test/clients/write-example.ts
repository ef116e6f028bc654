import { callOf } from './call.ts'
import type { Document } from './document.ts'
import type { Example, ShownEvent } from './examples.ts'

/**
 * Returns a request of the documentation as the source of a module that makes it with both clients,
 * and takes the answer that the page prints for one of theirs. Throws for a request that no operation
 * answers.
 */
export function writeExample(document: Document, { request, answer, refused }: Example): string {
  const call = callOf(document, request)
  const { operationId } = call.operation
  const inPascalCase = pascalCase(operationId)
  const inCamelCase = inPascalCase[0]?.toLowerCase() + inPascalCase.slice(1)
  const isForm = call.operation.requestBody?.content['application/json'] === undefined
  const bodyOption = call.body === undefined ? {} : { body: call.body }
  const parameters = withoutEmpty({
    path: call.pathParameters,
    query: call.query,
    header: call.headers,
  })
  const fetchOptions = withoutEmpty({ params: parameters, ...bodyOption })
  const sdkOptions = withoutEmpty({
    path: call.pathParameters,
    query: call.query,
    headers: call.headers,
    ...bodyOption,
  })
  const types = refused ? 'Errors' : 'Responses'
  const statuses = Object.keys(call.operation.responses).filter((status) =>
    refused ? status.startsWith('4') : status === '200',
  )
  const place = `paths[${text(call.path)}][${text(call.method)}]['responses']`
  return [
    `import createClient from 'openapi-fetch'`,
    `import type { paths } from '../openapi-typescript'`,
    `import { ${inCamelCase} } from '../hey-api'`,
    ...(answer === undefined ? [] : [`import type { ${inPascalCase}${types} } from '../hey-api'`]),
    `const client = createClient<paths>()`,
    `export const fetched = client.${call.method.toUpperCase()}(${text(call.path)}${isEmpty(fetchOptions) ? '' : `, ${text(fetchOptions)}`})`,
    `export const called = ${inCamelCase}(${isEmpty(sdkOptions) ? '' : text(sdkOptions)})`,
    ...(answer === undefined || (isForm && refused)
      ? []
      : [
          `export const fetchedAnswer: ${statuses.map((status) => `ContentOf<${place}, ${status}>`).join(' | ')} = ${text(answer)}`,
          `export const calledAnswer: ${statuses.map((status) => `${inPascalCase}${types}[${status}]`).join(' | ')} = ${text(answer)}`,
          `type ContentOf<Responses, Status extends keyof Responses> = Responses[Status] extends { content: { 'application/json': infer Content } } ? Content : never`,
        ]),
    '',
  ].join('\n')
}

/** Returns an event of the documentation as the source of a module that takes it for one of its type. */
export function writeEvent({ body }: ShownEvent): string {
  const name = `${pascalCase(body.event.type.replaceAll('.', '_'))}Event`
  return [
    `import type { webhooks } from '../openapi-typescript'`,
    `import type { ${name} } from '../hey-api'`,
    `export const received: webhooks[${text(body.event.type)}]['post']['requestBody']['content']['application/json'] = ${text(body)}`,
    `export const typed: ${name} = ${text(body)}`,
    '',
  ].join('\n')
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

const text = (value: unknown) => JSON.stringify(value)

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}

function withoutEmpty(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => typeof value !== 'object' || value === null || !isEmpty(value),
    ),
  )
}
