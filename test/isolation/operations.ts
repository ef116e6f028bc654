import type { TestApp } from '../app.ts'

/** The operations of the OpenAPI document. */

export interface Operation {
  /** `GET /accounts/{account_id}`. */
  name: string
  query: string[]
  /** Of a merchant's server, and not of a payer's browser. */
  forMerchants: boolean
}

interface Described {
  parameters?: { name: string; in: string }[]
  security?: unknown
}

/** Every operation of the document that the server shows. */
export async function readOperations(app: TestApp): Promise<Operation[]> {
  const { json } = await app.call('/openapi.json')
  const paths = Object.entries(json.paths as Record<string, Record<string, Described>>)
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'servers')
      .map(([method, { parameters = [], security }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        forMerchants: JSON.stringify(security ?? '').includes('basic'),
      })),
  )
}
