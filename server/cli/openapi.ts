import { parseArgs } from 'node:util'
import { createOpenapiDocument } from '../app.ts'
import { readConfig } from '../config.ts'

/** `checkstand openapi`: writes the OpenAPI document, which needs no database. */
export function openapiCommand(args: string[]): void {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean' } } })
  if (values.help) {
    console.log('npx checkstand openapi\n\nWrites the OpenAPI 3.1 document to standard output.')
    return
  }
  console.log(JSON.stringify(createOpenapiDocument(readConfig()), null, 2))
}
