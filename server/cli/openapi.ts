import { parseArgs } from 'node:util'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { createLog } from '../observe/log.ts'

/** `checkstand openapi`: the API's description, which depends on no database. */
export async function openapiCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean' } } })
  if (values.help) {
    console.log('npx checkstand openapi\n\nWrites the OpenAPI 3.1 document to standard output.')
    return
  }
  const deps = { config: readConfig(), log: createLog('silent') } as Deps
  const { app } = createApp(deps)
  const response = await app.request('/openapi.json')
  console.log(JSON.stringify(await response.json(), null, 2))
}
