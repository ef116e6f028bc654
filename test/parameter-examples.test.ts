import { expect, it } from 'vitest'
import { startTestApp } from './app.ts'

/** Parameters of lists as files. */
const CSV_ONLY = ['columns', 'timezone']

/** The OpenAPI document is what a new user copies from. */

interface Parameter {
  name: string
  description?: string
  example?: string
}

const app = await startTestApp()
const { json: document } = await app.call('/openapi.json')

const lists = Object.entries(
  document.paths as Record<string, { get?: { parameters?: Parameter[] } }>,
).flatMap(([path, { get }]) =>
  get?.parameters?.some(({ name }) => name === 'order') && !path.includes('{')
    ? [{ path, parameters: get.parameters }]
    : [],
)

it.each(lists)('$path accepts the examples of its own parameters', async ({ path, parameters }) => {
  const examples = parameters.filter(({ example }) => example !== undefined)
  const isForCsv = ({ name }: Parameter) => CSV_ONLY.includes(name)
  for (const [accept, own] of [
    ['application/json', examples.filter((each) => !isForCsv(each))],
    ['text/csv', examples.filter(isForCsv)],
  ] as const) {
    const query = new URLSearchParams(
      own.map(({ name, example = '' }): [string, string] => [name, example]),
    )
    const response = await app.merchant.api(`${path}?${query.toString()}`, { headers: { accept } })
    expect([response.status, response.text]).toEqual([200, expect.any(String)])
  }
})

it.each(lists)('$path can be ordered by each field that it names', async ({ path, parameters }) => {
  const { description = '' } = parameters.find(({ name }) => name === 'order') ?? {}
  const fields = [...(description.split('Fields: ')[1] ?? '').matchAll(/`(\w+)`/g)]
  expect(fields.length).toBeGreaterThan(2)
  const order = fields.map(([, field]) => field).join(',')
  const response = await app.merchant.api(`${path}?order=${order}`)
  expect([response.status, response.text]).toEqual([200, expect.any(String)])
})
