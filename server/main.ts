#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { clientCommand } from './cli/client.ts'
import { instanceCommand } from './cli/instance.ts'
import { keyCommand } from './cli/key.ts'
import { migrateCommand } from './cli/migrate.ts'
import { openapiCommand } from './cli/openapi.ts'
import { serve } from './cli/serve.ts'
import { userCommand } from './cli/user.ts'
import { WrongUsage } from './cli/usage.ts'

const HELP = `checkstand <command>

  serve                 start the server
  demo                  start it with a demo merchant and a payable link
  migrate               bring the database to this version's schema
  instance create       make a merchant's instance, its first key and its user
  key create|list|revoke   manage secret keys
  user create|list|password|disable   manage who signs in
  client create|list|disable   manage platforms that act for merchants
  openapi               write the OpenAPI document to standard output

Every command takes --help. Settings come from the environment; see the README.`

const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  serve: (args) => serve(args, { demo: false }),
  demo: (args) => serve(args, { demo: true }),
  migrate: migrateCommand,
  instance: instanceCommand,
  key: keyCommand,
  user: userCommand,
  client: clientCommand,
  openapi: openapiCommand,
}

async function main(): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command(args)
  const { values } = parseArgs({ options: { help: { type: 'boolean' } }, strict: false })
  if (values.help === true) {
    console.log(HELP)
    return
  }
  throw new WrongUsage(name === undefined ? HELP : `Unknown command: ${name}\n\n${HELP}`)
}

try {
  await main()
} catch (error) {
  const wrongUsage = error instanceof WrongUsage || isParseError(error)
  console.error(error instanceof Error ? error.message : error)
  if (error instanceof Error && error.cause instanceof Error) {
    console.error(`  because: ${error.cause.message}`)
  }
  process.exitCode = wrongUsage ? 2 : 1
}

function isParseError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_PARSE_ARGS')
}
