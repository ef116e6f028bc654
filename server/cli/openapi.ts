import { createOpenapiDocument } from '../app.ts'
import { readConfig } from '../config.ts'
import { readOptions } from './usage.ts'

/** `checkstand openapi`: writes the OpenAPI document, which needs no database. */
export function openapiCommand(args: string[]): void {
  const help = 'npx checkstand openapi\n\nWrites the OpenAPI 3.1 document to standard output.'
  if (!readOptions(args, { help, options: {} })) return
  console.log(JSON.stringify(createOpenapiDocument(readConfig()), null, 2))
}
